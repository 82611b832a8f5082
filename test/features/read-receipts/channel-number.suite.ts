// Numbers that are looked up before the first message, where the tenant wants it.

import { answering, type Script, type ScriptedRequest } from '../../providers/scripted-gateway.js';
import { query } from '../../support/graphql-client.js';
import { ChannelNumbersDocument, RetryMessageDocument } from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import type { TestApp } from '../../support/test-app.js';
import {
  createLead,
  plainNumber,
  readMessage,
  send,
  stateOf,
  until,
  waitForStatus,
} from '../messages/sending-harness.js';
import { CourtesyStage } from './courtesy-harness.js';

const written = '5511988887777';
const canonical = '551188887777';

export function describeChannelNumbers(): void {
  let app: TestApp;
  let stage: CourtesyStage;
  /** The gateway's answer for a number. */
  let judge: (number: string) => Script;

  beforeAll(async () => (app = await sharedApp()));
  beforeEach(async () => {
    stage = await CourtesyStage.start(app, 'evolution');
    judge = (number) => found(number);
    stage.server.script = (request: ScriptedRequest) => {
      if (!request.path.startsWith('/chat/whatsappNumbers/')) return undefined;
      const { numbers } = request.body as { numbers: string[] };
      return judge(numbers[0] ?? '');
    };
  });
  afterEach(() => stage.server.close());

  const found = (number: string, jid = number) =>
    answering(200, [{ jid: `${jid}@s.whatsapp.net`, exists: true, number, name: 'Ana' }]);
  const absent = (number: string) => answering(200, [{ jid: `${number}@s.whatsapp.net`, exists: false, number }]);
  const sendTo = (leadId: string, body = 'Hello') =>
    send(app, stage.tenant, { leadId, instanceId: stage.instance.id, body });
  const asked = () => stage.told('whatsappNumbers');
  const sentTo = () => stage.told('sendText').map((body) => (body as { number: string }).number);
  const knownOf = async (leadId: string) => {
    const { leads } = await query(app, stage.tenant.operator, ChannelNumbersDocument, {});
    return leads.edges.find(({ node }) => node.id === leadId)?.node.channelNumber;
  };
  const failed = async (id: string) =>
    until(
      () => stateOf(app, id),
      ({ status }) => status === 'FAILED',
    );

  test('it is asked once, and messages go to the number as the network writes it; the lead keeps its own', async () => {
    await stage.choose({ checksNumbers: true });
    judge = (number) => found(number, canonical);
    const leadId = await createLead(app, stage.tenant, written);
    for (const body of ['one', 'two']) await waitForStatus(app, await sendTo(leadId, body), 'SENT');
    expect(asked()).toEqual([{ numbers: [written] }]);
    expect(sentTo()).toEqual([canonical, canonical]);
    expect(await knownOf(leadId)).toMatchObject({ isOnChannel: true, number: canonical });
    const [lead] = await app.sql<{ chat: string }>('SELECT chat FROM leads WHERE id = $1', [leadId]);
    expect(lead?.chat).toBe(written);
  });

  test('a number that is not on the channel fails its message at once, and takes no place of the limit', async () => {
    await stage.choose({ checksNumbers: true, chatRateLimit: { max: 1, durationMs: 86_400_000 } });
    const [unknown, known] = [plainNumber(), plainNumber()];
    judge = (number) => (number === unknown ? absent(number) : found(number));
    const leadId = await createLead(app, stage.tenant, unknown);
    const first = await sendTo(leadId);
    expect(await failed(first)).toMatchObject({ errorCode: 'NUMBER_NOT_ON_NETWORK', externalId: null });
    // The failed message left the one place of the day free.
    await waitForStatus(app, await sendTo(await createLead(app, stage.tenant, known)), 'SENT');
    expect(sentTo()).toEqual([known]);
    expect(await knownOf(leadId)).toMatchObject({ isOnChannel: false, number: unknown });
    expect((await readMessage(app, stage.tenant, first)).timeline.at(-1)).toMatchObject({ toStatus: 'FAILED' });
  });

  test('that it is not on the channel is remembered; a retry asks again', async () => {
    await stage.choose({ checksNumbers: true });
    judge = absent;
    const leadId = await createLead(app, stage.tenant);
    const first = await sendTo(leadId);
    await failed(first);
    await failed(await sendTo(leadId, 'two'));
    expect(asked()).toHaveLength(1);
    judge = (number) => found(number);
    await query(app, stage.tenant.operator, RetryMessageDocument, { id: first });
    await waitForStatus(app, first, 'SENT');
    expect(asked()).toHaveLength(2);
    await waitForStatus(app, await sendTo(leadId, 'three'), 'SENT');
    expect(asked()).toHaveLength(2);
  });

  test.each<[string, Script]>([
    ['does not answer', (_, response) => response.socket?.resetAndDestroy()],
    ['cannot say', answering(400, { response: { message: ['Connection Closed'] } })],
    ['answers something else', answering(200, { exists: false })],
  ])('a gateway that %s holds nothing up, and is left alone for a while', async (_, script) => {
    await stage.choose({ checksNumbers: true });
    judge = () => script;
    for (let count = 0; count < 2; count += 1) {
      const chat = plainNumber();
      await waitForStatus(app, await sendTo(await createLead(app, stage.tenant, chat)), 'SENT');
      expect(sentTo().at(-1)).toBe(chat);
    }
    expect(asked()).toHaveLength(1);
  });

  test('a lead that wrote needs no asking, and neither does one that got a message before', async () => {
    judge = absent;
    const { leadId: reached } = await stage.write(plainNumber());
    const earlier = await createLead(app, stage.tenant);
    await waitForStatus(app, await sendTo(earlier), 'SENT');
    await stage.choose({ checksNumbers: true });
    for (const leadId of [reached, earlier]) await waitForStatus(app, await sendTo(leadId, 'again'), 'SENT');
    expect(asked()).toEqual([]);
    expect(await knownOf(earlier)).toBeNull();
  });

  test('nothing is asked by a tenant that has not chosen it', async () => {
    judge = absent;
    await waitForStatus(app, await sendTo(await createLead(app, stage.tenant)), 'SENT');
    expect(asked()).toEqual([]);
  });
}
