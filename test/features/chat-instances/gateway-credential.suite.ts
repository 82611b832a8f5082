// The gateway's credential: on its way to the gateway, at rest, and nowhere else.

import { randomUUID } from 'node:crypto';
import { ScriptedGateway, answering, type Script } from '../../providers/scripted-gateway.js';
import { execute, query } from '../../support/graphql-client.js';
import {
  AuditLogDocument,
  ChatInstanceGatewaysDocument,
  ChatInstancesDocument,
  CreateChatInstanceDocument,
  DeleteChatInstanceDocument,
  UpdateChatInstanceDocument,
  type CreateChatInstanceInput,
  type UpdateChatInstanceInput,
} from '../../support/operations.js';
import { TestApp, withToken, type TestTenant } from '../../support/test-app.js';
import { createLead, hurryRetries, readMessage, send, until, waitForStatus } from '../messages/sending-harness.js';

export function describeGatewayCredential(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let configured: ScriptedGateway;
  let gateway: ScriptedGateway;
  let script: Script;

  const accepting: Script = (request, response) => answering(200, { messageId: randomUUID() })(request, response);
  const newToken = () => `token-${randomUUID()}`;

  beforeAll(async () => {
    configured = await ScriptedGateway.start(accepting);
    gateway = await ScriptedGateway.start((request, response) => script(request, response));
    app = await TestApp.start({ GATEWAY_URL: configured.url, GATEWAY_TOKEN: 'configured token' });
    tenant = await app.createTenant();
  });
  beforeEach(() => {
    script = accepting;
    for (const { requests } of [configured, gateway]) requests.length = 0;
  });
  afterAll(async () => {
    await app.stop();
    await configured.close();
    await gateway.close();
  });

  async function create(input: Partial<CreateChatInstanceInput> = {}): Promise<string> {
    const required = { accountId: tenant.admin.accountId, instanceName: `instance-${randomUUID()}` };
    const variables = { input: { ...required, ...input } };
    return (await query(app, tenant.admin, CreateChatInstanceDocument, variables)).createChatInstance.id;
  }

  const update = (id: string, input: UpdateChatInstanceInput) =>
    query(app, tenant.admin, UpdateChatInstanceDocument, { id, input });

  async function sendThrough(instanceId: string): Promise<string> {
    return send(app, tenant, { leadId: await createLead(app, tenant), instanceId, body: 'Oi' });
  }

  async function sendNow(instanceId: string): Promise<void> {
    await waitForStatus(app, await sendThrough(instanceId), 'SENT');
  }

  /** Waits until the message is sent, without its waits for a retry. */
  async function waitThroughRetries(messageId: string): Promise<void> {
    const read = async () => {
      await hurryRetries(app, tenant);
      return readMessage(app, tenant, messageId);
    };
    await until(read, ({ status }) => status === 'SENT');
  }

  function waitForEnd(messageId: string) {
    return until(
      () => readMessage(app, tenant, messageId),
      ({ status }) => status === 'SENT' || status === 'FAILED',
    );
  }

  const authorizations = ({ requests }: ScriptedGateway) => requests.map(({ headers }) => headers.authorization);

  describe('the token', () => {
    test('goes to the instance’s own gateway as a Bearer token', async () => {
      const token = newToken();
      const instanceName = `instance-${randomUUID()}`;
      const id = await create({ instanceName, baseUrl: `${gateway.url}/v1/`, token });
      await sendNow(id);
      expect(gateway.requests).toMatchObject([
        { path: '/v1/messages', headers: { authorization: `Bearer ${token}` }, body: { instance: instanceName } },
      ]);
      expect(configured.requests).toEqual([]);
    });

    test('without an address goes to the configured gateway, in place of the configured one', async () => {
      const token = newToken();
      await sendNow(await create({ token }));
      expect(authorizations(configured)).toEqual([`Bearer ${token}`]);
    });

    test('none of its own: the configured one goes to the configured gateway only', async () => {
      await sendNow(await create());
      await sendNow(await create({ baseUrl: gateway.url }));
      expect(authorizations(configured)).toEqual(['Bearer configured token']);
      expect(authorizations(gateway)).toEqual([undefined]);
    });

    test('changed or taken away counts from the next message on, and for one that still waits', async () => {
      const [first, second] = [newToken(), newToken()];
      const id = await create({ baseUrl: gateway.url, token: first });
      script = answering(503, {});
      const waiting = await sendThrough(id);
      await until(
        () => gateway.requests.length,
        (count) => count > 0,
      );
      await update(id.toUpperCase(), { token: second });
      script = accepting;
      await waitThroughRetries(waiting);
      await update(id, { token: null });
      await sendNow(id);
      // A retry may have come between, so repeated credentials count once.
      expect([...new Set(authorizations(gateway))]).toEqual([`Bearer ${first}`, `Bearer ${second}`, undefined]);
    });

    test('of one instance is not opened for another', async () => {
      const [id, other] = [
        await create({ baseUrl: gateway.url, token: newToken() }),
        await create({ token: newToken() }),
      ];
      await app.sql(
        `UPDATE chat_instances SET token_ciphertext = (SELECT token_ciphertext FROM chat_instances WHERE id = $2) WHERE id = $1`,
        [id, other],
      );
      const message = await sendThrough(id);
      const { error } = await waitForEnd(message);
      expect(error?.code).toBe('CREDENTIAL_UNREADABLE');
      expect(gateway.requests).toEqual([]);
    });
  });

  describe('a secret', () => {
    test('is in no answer, in no audit entry and in no column', async () => {
      const [first, second, refused] = [newToken(), newToken(), newToken()];
      const answers: unknown[] = [];
      const keep = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
        answers.push(await answer);
        return answer;
      };
      const input = {
        accountId: tenant.admin.accountId,
        instanceName: `instance-${randomUUID()}`,
        baseUrl: gateway.url,
      };
      const { data } = await keep(
        execute(app, tenant.admin, CreateChatInstanceDocument, { input: { ...input, token: first } }),
      );
      const id = data?.createChatInstance.id ?? '';
      await keep(execute(app, tenant.admin, UpdateChatInstanceDocument, { id, input: { token: second } }));
      for (const token of [`${refused} `, `${refused}\u0000`, refused.repeat(200)]) {
        await keep(execute(app, tenant.admin, UpdateChatInstanceDocument, { id, input: { token } }));
        await keep(execute(app, tenant.admin, CreateChatInstanceDocument, { input: { ...input, token } }));
      }
      const url = `https://user:${refused}@gateway.example`;
      await keep(execute(app, tenant.admin, UpdateChatInstanceDocument, { id, input: { baseUrl: url } }));
      await keep(execute(app, tenant.admin, ChatInstancesDocument, {}));
      await keep(execute(app, tenant.admin, ChatInstanceGatewaysDocument, {}));
      await keep(execute(app, tenant.admin, AuditLogDocument, { filter: { targetId: id } }));
      await keep(app.get('/chat/instances', withToken(tenant.admin)).then((answer) => answer.text()));
      await sendNow(id);
      expect(authorizations(gateway)).toEqual([`Bearer ${second}`]);

      const rows = await app.sql('SELECT i::text AS row FROM chat_instances i WHERE id = $1', [id]);
      const audited = await app.sql('SELECT a::text AS row FROM audit_entries a');
      expect(rows).toHaveLength(1);
      const text = JSON.stringify([answers, rows, audited]);
      expect(text).toContain(id);
      for (const secret of [first, second, refused]) {
        for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')])
          expect(text).not.toContain(form);
      }
    });

    test('is gone with its instance', async () => {
      const id = await create({ baseUrl: gateway.url, token: newToken() });
      await query(app, tenant.admin, DeleteChatInstanceDocument, { id });
      const rows = await app.sql('SELECT token_ciphertext FROM chat_instances WHERE id = $1', [id]);
      expect(rows).toEqual([{ token_ciphertext: null }]);
      const { auditLog } = await query(app, tenant.admin, AuditLogDocument, { filter: { targetId: id } });
      expect(auditLog.edges[0]?.node).toMatchObject({ action: 'CHAT_INSTANCE_DELETED', after: { tokenChanged: true } });
    });
  });

  describe('an address that may not be called', () => {
    test('any more fails its messages for good, with a sentence', async () => {
      const id = await create({ baseUrl: gateway.url });
      await app.sql("UPDATE chat_instances SET base_url = 'http://10.255.255.1' WHERE id = $1", [id]);
      const message = await sendThrough(id);
      const { error } = await waitForEnd(message);
      expect(error).toEqual({ code: 'GATEWAY_ADDRESS_REFUSED', message: expect.stringMatching(/baseUrl/) });
    });
  });
}
