// GET /messages/export.csv: the messages of the lists as a file, by the same filter.

import { leadOf, phone, receive } from '../features/leads/lead-harness.js';
import { send } from '../features/messages/sending-harness.js';
import { sharedApp } from '../support/shared-app.js';
import { withToken, type TestApp, type TestTenant } from '../support/test-app.js';
import { describeExportRefusals } from './export-refusals.js';

const path = '/messages/export.csv';

export function describeMessagesExport(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api' });
    tenant = await app.createTenant();
    await receive(app, tenant, [
      { from: [phone('4915100000001')], name: 'Bo', text: '=1+1,\n"x"', externalId: 'in-1' },
    ]);
    const leadId = await leadOf(app, tenant, phone('4915100000001'));
    await send(app, tenant, { leadId, media: { url: 'https://files.example/a.png', caption: '-5 %' } });
    const other = await app.createTenant();
    await receive(app, other, [{ from: [phone('4915100000001')], text: 'elsewhere' }]);
  });

  async function read(search = ''): Promise<string[]> {
    const response = await app.get(`${path}${search}`, withToken(tenant.operator));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=messages.csv');
    return (await response.text()).split('\r\n').slice(0, -1);
  }

  test('200: every message, the newest first, with its lead and its instance; formulas are defused', async () => {
    const [header, sent, received, ...rest] = await read();
    expect(header).toBe(
      'id,createdAt,direction,status,leadId,leadName,chat,instance,type,body,mediaUrl,mediaCaption,sentAt,deliveredAt,readAt,failedAt,errorCode,errorMessage,externalId,origin,replyToExternalId,reactions,editedAt,deletedAt,mediaState,mediaType,mediaFileName,mediaSize,mediaSha256,choice,isForwarded,isNotice,referralKind,referralSourceId,referralHeadline,referralClickId',
    );
    expect(sent).toContain(
      `Bo,4915100000001,${tenant.instance.name},document,,https://files.example/a.png,'-5 %,,,,,,,`,
    );
    expect(received).toMatch(
      /,INBOUND,,.*,Bo,4915100000001,.*,text,"'=1\+1,\n""x""",,,,,,,,,in-1,LEAD,,,,,,,,,,,false,false,,,,$/s,
    );
    expect(rest).toEqual([]);
  });

  test('200: a text of several lines is one cell, whatever ends its lines', async () => {
    const own = await app.createTenant();
    const texts = ['one\ntwo', 'one\r=1+1', 'one\r\ntwo'];
    await receive(
      app,
      own,
      texts.map((text) => ({ from: [phone('4915100000002')], text })),
    );
    const file = await (await app.get(path, withToken(own.operator))).text();
    for (const text of ['one\ntwo', "one\r'=1+1", 'one\r\ntwo']) expect(file).toContain(`,text,"${text}",`);
  });

  test('200: one conversation', async () => {
    const own = await app.createTenant();
    await receive(app, own, [
      { from: [phone('4915100000003')], text: 'mine' },
      { from: [phone('4915100000004')], text: 'another' },
    ]);
    const filter = JSON.stringify({ leadId: await leadOf(app, own, phone('4915100000003')) });
    const files = [own, tenant].map((by) =>
      app.get(`${path}?filter=${encodeURIComponent(filter)}`, withToken(by.operator)),
    );
    const [ours, theirs] = await Promise.all(files.map(async (file) => (await (await file).text()).split('\r\n')));
    expect(ours).toEqual([expect.any(String), expect.stringContaining(',text,mine,'), '']);
    expect(theirs).toHaveLength(2);
  });

  test('200: by the filter of the lists', async () => {
    expect(await read(`?filter=${encodeURIComponent('{"direction":"INBOUND","text":"1+1"}')}`)).toHaveLength(2);
    expect(await read(`?filter=${encodeURIComponent('{"until":"2020-01-01T00:00:00Z"}')}`)).toHaveLength(1);
  });

  describeExportRefusals(path, () => ({ app, tenant }), [
    ['a filter that is no JSON', 'filter=x', 'filter'],
    ['a parameter that nobody knows', 'filtre={"text":"x"}', 'filtre'],
    ['a status that is none', 'filter={"statuses":["GONE"]}', 'filter.statuses.0'],
    ['a lead that is no UUID', 'filter={"leadId":"x"}', 'filter.leadId'],
    ['a condition that nobody knows', 'filter={"lead":"x"}', 'filter'],
  ]);
}
