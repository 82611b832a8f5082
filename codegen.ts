import type { CodegenConfig } from '@graphql-codegen/cli';

/** The typed operations of the tests: `npm run generate`. Those of the console are a part of every build. */
const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: {
    'test/support/operations.ts': {
      documents: 'test/support/operations.graphql',
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
