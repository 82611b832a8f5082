// The typed operations of the console, which the build makes of schema.graphql before Vite. They are not tracked.

import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CodegenConfig } from '@graphql-codegen/cli';

// A page brings its own. Texts are smaller than their trees, and are what is sent.
const operations = (documents: string) => ({
  documents,
  plugins: ['typescript-operations', 'typed-document-node'],
  config: {
    useTypeImports: true,
    enumsAsTypes: true,
    defaultScalarType: 'unknown',
    scalars: { DateTime: 'string', JSONObject: 'Record<string, unknown>' },
    documentMode: 'string',
  },
});

const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: {
    'src/console/api/operations.ts': operations('src/console/{api,live}/*.graphql'),
    ...Object.fromEntries(
      globSync('src/console/{pages,parts}/*/*.graphql').map((path) => [
        join(dirname(path), 'operations.ts'),
        operations(`${dirname(path)}/*.graphql`),
      ]),
    ),
  },
};

export default config;
