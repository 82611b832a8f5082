// Baseline: PostGraphile 5 on the product's own tables, with the node server that it comes with. A smart tag names the relation to the
// newest message, for which the tables have no foreign key. Nobody is signed in: the tenant is a condition of the query.

import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { jsonPgSmartTags } from 'postgraphile/utils';
import { announcePort, requireDatabaseUrl } from './intake-store.js';

const newestMessage = jsonPgSmartTags({
  version: 1,
  config: {
    class: {
      leads: {
        tags: {
          foreignKey: '(tenant_id, last_message_id) references messages (tenant_id, id)|@fieldName lastMessage',
          // Otherwise pages would be sorted by the key as well.
          unique: 'last_message_id',
        },
        // Otherwise the page behind a cursor would be searched from the first one on.
        attribute: { last_message_id: { tags: { notNull: true } } },
      },
    },
  },
});

const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: [newestMessage],
  // The columns that it filters and sorts by are not the first of their indexes.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  pgServices: [makePgService({ connectionString: requireDatabaseUrl(), schemas: ['public'], poolConfig: { max: 10 } })],
  grafserv: { graphqlPath: '/graphql', graphiql: false, websockets: false, watch: false, outputDataAsString: true },
});

const server = createServer();
await instance.createServ(grafserv).addTo(server);
server.listen(0, '127.0.0.1', () => announcePort(server.address()));
