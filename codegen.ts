import type { CodegenConfig } from '@graphql-codegen/cli';

/** Typed operations for tests and clients: `npm run generate`. */
const config: CodegenConfig = {
  schema: 'schema.graphql',
  documents: 'test/support/operations.graphql',
  generates: {
    'test/support/operations.ts': {
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        defaultScalarType: 'unknown',
        scalars: { DateTime: 'string', JSONObject: 'Record<string, unknown>' },
      },
    },
  },
};

export default config;
