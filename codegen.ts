// The typed operations of the console and of the tests. The build makes them of schema.graphql, and they are not tracked.

import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CodegenConfig } from '@graphql-codegen/cli';

const config = {
  useTypeImports: true,
  enumsAsTypes: true,
  defaultScalarType: 'unknown',
  scalars: { DateTime: 'string', JSONObject: 'Record<string, unknown>' },
};
const plugins = ['typescript-operations', 'typed-document-node'];

// A page brings its own. Texts are smaller than their trees, and are what is sent.
const consoleOperations = (documents: string) => ({
  documents,
  plugins,
  config: { ...config, documentMode: 'string' },
});

// An image of the product is built without the tests.
const testFolders = globSync('test/support/*.graphql').map(dirname);

const codegen: CodegenConfig = {
  schema: 'schema.graphql',
  generates: {
    'src/console/api/operations.ts': consoleOperations('src/console/{api,live}/*.graphql'),
    ...Object.fromEntries(
      globSync('src/console/{pages,parts}/*/*.graphql').map((path) => [
        join(dirname(path), 'operations.ts'),
        consoleOperations(`${dirname(path)}/*.graphql`),
      ]),
    ),
    ...Object.fromEntries(
      testFolders.map((folder) => [
        join(folder, 'operations.ts'),
        { documents: `${folder}/*.graphql`, plugins, config },
      ]),
    ),
  },
};

export default codegen;
