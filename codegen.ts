import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CodegenConfig } from '@graphql-codegen/cli';

const operations = {
  useTypeImports: true,
  enumsAsTypes: true,
  defaultScalarType: 'unknown',
  scalars: { DateTime: 'string', JSONObject: 'Record<string, unknown>' },
};

// A page brings its own. Texts are smaller than their trees, and are what is sent.
const consoleOperations = (documents: string) => ({
  documents,
  plugins: ['typescript-operations', 'typed-document-node'],
  config: { ...operations, documentMode: 'string' },
});

/** Typed operations for tests and for the console: `npm run generate`. */
const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: {
    'test/support/operations.ts': {
      documents: 'test/support/operations.graphql',
      plugins: ['typescript-operations', 'typed-document-node'],
      config: operations,
    },
    'src/console/api/operations.ts': consoleOperations('src/console/{api,live}/*.graphql'),
    ...Object.fromEntries(
      globSync('src/console/{pages/*,parts/selection,parts/push}/*.graphql').map((path) => [
        join(dirname(path), 'operations.ts'),
        consoleOperations(`${dirname(path)}/*.graphql`),
      ]),
    ),
  },
};

export default config;
