// The layers: imports only go down, and never in a circle.

const features = [
  'audit',
  'tenants',
  'users',
  'auth',
  'chat-instances',
  'leads',
  'templates',
  'channel-templates',
  'messages',
  'search',
  'consent',
  'media',
  'read-receipts',
  'outbox',
  'assistants',
  'bulk-sends',
  'bulk-actions',
  'dashboards',
  'intake',
  'lead-sources',
  'journal',
  'recovery',
  'events',
  'outgoing-webhooks',
  'push',
  'live',
  'retention',
];
const feature = (name) => `^src/features/${name}/`;
const apis = '\\.(resolver|routes)\\.ts$';

const layers = [
  { name: 'main', path: '^src/(main|node-version|process|dev/.*|commands/.*)(\\.ts|$)' },
  { name: 'app', path: '^src/(app|work-parts)\\.ts$' },
  { name: 'registries', path: '^src/(resolvers|routes)\\.ts$' },
  { name: 'transport', path: '^src/transport/' },
  { name: 'services', path: '^src/(services|configured-parts|metric-readings)\\.ts$' },
  { name: 'features', path: '^src/features/' },
  { name: 'providers', path: '^src/providers/' },
  { name: 'clients', path: '^src/clients/' },
  { name: 'platform', path: '^src/platform/' },
  { name: 'config', path: '^src/config/' },
];

const noWayUp = layers.flatMap(({ name, path }, index) => {
  const above = layers.slice(0, index).map((layer) => layer.path);
  return above.length === 0
    ? []
    : [{ name: `${name}-imports-no-layer-above`, severity: 'error', from: { path }, to: { path: above } }];
});

const featureOrder = features.slice(0, -1).map((name, index) => ({
  name: `feature-${name}-imports-no-feature-above`,
  severity: 'error',
  from: { path: feature(name) },
  to: { path: features.slice(index + 1).map(feature) },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    ...noWayUp,
    ...featureOrder,
    {
      name: 'only-apis-know-the-web',
      comment: 'Services know neither Express nor GraphQL.',
      severity: 'error',
      from: { path: '^src/(features|providers|clients)/', pathNot: [apis, '\\.type\\.ts$'] },
      to: {
        path: ['node_modules/(express|graphql|type-graphql|graphql-ws|@apollo|ws)/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'apis-and-types-are-not-used-by-services',
      severity: 'error',
      from: { path: '^src/features/', pathNot: [apis, '\\.type\\.ts$'] },
      to: { path: ['^src/features/.*' + apis, '^src/features/.*\\.type\\.ts$'] },
    },
    {
      name: 'the-simulator-stands-alone',
      severity: 'error',
      from: { path: '^src/simulator/' },
      to: { path: '^src/', pathNot: '^src/simulator/' },
    },
    {
      name: 'the-console-stands-alone',
      comment: 'It knows the server by its API alone; and nothing of the server knows it but its files.',
      severity: 'error',
      from: { path: '^src/console/' },
      to: { path: '^src/', pathNot: ['^src/console/', '^src/docs/'] },
    },
    {
      name: 'no-import-of-the-console',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(console/|dev/bundle\\.ts$)' },
      to: { path: '^src/console/' },
    },
    {
      name: 'parts-of-the-console-know-no-page',
      severity: 'error',
      from: { path: '^src/console/(parts|api|live|i18n)/' },
      to: { path: '^src/console/pages/' },
    },
    { name: 'product-imports-no-test', severity: 'error', from: { path: '^src/' }, to: { path: '^test/' } },
    {
      name: 'product-imports-no-development-dependency',
      comment:
        'The embedded PostgreSQL is looked up at run time, and its absence is a sentence. The console and the bundle are built: what they ' +
        'need ships with them.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(console/|dev/bundle\\.ts$)' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // Its parser reads no TSX: imports of those files are checked in test/console.
    exclude: { path: ['^src/platform/prisma/', '\\.tsx$'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
