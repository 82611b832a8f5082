// Requests made from the fields of forms: they contain only what was changed, and nothing that was not asked for.

import { toIso, timeOf, toLocalTime } from '../../src/console/i18n/local-time.js';
import { exampleOf, refusalOf, routeNames } from '../../src/console/pages/calls/call-routes.js';
import { emptyFields, toChange, toCreation } from '../../src/console/pages/instances/instance-fields.js';
import { changesOf, inWords, shortValue, wholeId } from '../../src/console/pages/settings/audit-changes.js';
import { linesOf, toChange as toCompanyChange, toFields } from '../../src/console/pages/settings/company-fields.js';
import { readPayload } from '../../src/console/pages/settings/lead-payload.js';
import {
  fieldsOfSource,
  toCreateInput,
  toUpdateInput,
  writtenMapping,
} from '../../src/console/pages/settings/lead-source-fields.js';
import { leadBody } from '../../src/console/pages/settings/lead-body.js';

export function describeAdministrationFields(): void {
  describe('of an instance', () => {
    const before = { ...emptyFields, instanceName: 'shop', accountId: 'a' };

    test('a new one has what was filled in', () => {
      expect(toCreation({ ...before, token: ' t ' })).toEqual({
        instanceName: 'shop',
        accountId: 'a',
        provider: 'gateway',
        token: 't',
      });
    });

    test('the secret belongs to Meta and WAHA, the ids to Meta alone', () => {
      const filled = { ...before, webhookSecret: '0123456789abcdef', phoneNumberId: '1', wabaId: '2' };
      expect(toCreation(filled)).not.toHaveProperty('metadata');
      expect(toCreation(filled)).not.toHaveProperty('webhookSecret');
      const waha = toCreation({ ...filled, provider: 'waha' });
      expect(waha).toMatchObject({ webhookSecret: '0123456789abcdef' });
      expect(waha).not.toHaveProperty('metadata');
      expect(toCreation({ ...filled, provider: 'cloud' })).toMatchObject({
        webhookSecret: '0123456789abcdef',
        metadata: { phoneNumberId: '1', wabaId: '2' },
      });
    });

    test('a change names what differs; an empty secret keeps the stored one', () => {
      expect(toChange(before, before, null)).toEqual({});
      expect(toChange({ ...before, instanceName: 'store', isDefault: true }, before, null)).toEqual({
        instanceName: 'store',
        isDefault: true,
      });
      const moved = { ...before, baseUrl: 'https://gateway.example' };
      expect(toChange(before, moved, null)).toEqual({ baseUrl: null });
      expect(toChange({ ...before, removesToken: true, token: 'x' }, before, null)).toEqual({ token: null });
    });

    test('other metadata stays', () => {
      const cloud = { ...before, provider: 'cloud', phoneNumberId: '1' };
      const stored = { phoneNumberId: '1', team: 'sales' };
      expect(toChange(cloud, cloud, stored)).toEqual({});
      expect(toChange({ ...cloud, wabaId: '2' }, cloud, stored)).toEqual({ metadata: { ...stored, wabaId: '2' } });
      expect(toChange({ ...cloud, phoneNumberId: '' }, cloud, { phoneNumberId: '1' })).toEqual({ metadata: null });
    });
  });

  describe('of a lead source', () => {
    const stored = {
      id: 's',
      kind: 'FORM' as const,
      name: 'Page',
      path: '/webhooks/leads/form/s',
      webhookVerifyToken: null,
      hasKey: false,
      baseUrl: null,
      mapping: { '/tel': 'chat' },
      hmac: {
        header: 'x-sig',
        algorithm: 'sha256',
        encoding: 'hex',
        scheme: 'BODY' as const,
        timestampHeader: null,
        toleranceSeconds: null,
      },
      lastTestAt: null,
      heldCount: 0,
      forms: [],
      lastLeadAt: null,
      pendingLeads: 0,
      failedLeads: 0,
      lastError: null,
      version: 3,
    };
    const fields = fieldsOfSource(stored);

    test('a new one has what belongs to its kind alone', () => {
      const filled = {
        ...fieldsOfSource(undefined),
        name: ' Ads ',
        key: 'a-key',
        appSecret: 'secret',
        accessToken: 'token',
      };
      expect(toCreateInput({ ...filled, kind: 'GOOGLE' }, null)).toEqual({
        kind: 'GOOGLE',
        name: 'Ads',
        mapping: null,
        key: 'a-key',
      });
      expect(toCreateInput({ ...filled, key: '', formIds: '1, 2 3' }, null)).toMatchObject({
        kind: 'META',
        appSecret: 'secret',
        accessToken: 'token',
        baseUrl: null,
        formIds: ['1', '2', '3'],
      });
      expect(toCreateInput({ ...filled, kind: 'FORM' }, { a: 'chat' })).toEqual({
        kind: 'FORM',
        name: 'Ads',
        mapping: { a: 'chat' },
      });
    });

    test('a signature that is kept is left out, another one is sent, and none takes it away', () => {
      expect(toUpdateInput(fields, stored.mapping, stored)).toEqual({
        name: 'Page',
        mapping: stored.mapping,
        expectedVersion: 3,
      });
      const hmac = { header: 'x-sig', algorithm: 'sha512', encoding: 'hex', scheme: 'BODY', secret: '' };
      expect(toUpdateInput({ ...fields, algorithm: 'sha512' }, null, stored)).toMatchObject({ hmac });
      expect(toUpdateInput({ ...fields, isSigned: false }, null, stored)).toMatchObject({ hmac: null });
    });

    test.each([
      ['', null],
      [' {"/a": "chat"} ', { '/a': 'chat' }],
      ['[]', undefined],
      ['/a=chat', undefined],
    ])('the mapping %j', (text, expected) => expect(writtenMapping(text)).toEqual(expected));

    test.each<[string, Record<string, unknown> | undefined]>([
      ['{"form_id": 9223372036854775807, "n": 7}', { form_id: '9223372036854775807', n: 7 }],
      ['phone=%2B55&name=Ana+Lima&x=1&x=2', { phone: '+55', name: 'Ana Lima', x: ['1', '2'] }],
      ['[1]', undefined],
      ['{"a": ', undefined],
      ['Oi', undefined],
    ])('the payload %s', (text, expected) => expect(readPayload(text)).toEqual(expected));
  });

  describe('of the company', () => {
    const company = {
      id: 'c',
      name: 'Acme',
      slug: 'acme',
      chatRateLimit: { max: 20, durationMs: 500 },
      webhookSourceLabel: null,
      defaultCountry: 'BR',
      optOutKeywords: ['STOP', 'SAIR'],
      optInKeywords: [],
      optOutReply: null,
      sendsReadReceipts: false,
      showsTyping: true,
      checksNumbers: false,
      pushesText: false,
      assistants: 'OFF' as const,
      signature: 'OFF' as const,
      signatureFormat: '*{{operator.displayName}}:*',
    };
    const before = toFields(company);

    test('nothing changed is nothing to send', () => {
      expect(toCompanyChange(toFields(company), before)).toEqual({});
    });

    test('each choice by itself', () => {
      const fields = { ...before, sendsReadReceipts: true, showsTyping: false };
      expect(toCompanyChange(fields, before)).toEqual({ sendsReadReceipts: true, showsTyping: false });
      expect(toCompanyChange({ ...before, pushesText: true }, before)).toEqual({ pushesText: true });
      expect(toCompanyChange({ ...before, assistants: 'DRAFT' }, before)).toEqual({ assistants: 'DRAFT' });
      expect(toCompanyChange({ ...before, signature: 'BEFORE', signatureFormat: ' ' }, before)).toEqual({
        signature: 'BEFORE',
        signatureFormat: null,
      });
    });

    test('a limit in seconds, words on lines, and null for what was emptied', () => {
      const fields = { ...before, perSeconds: '0.25', optOutKeywords: 'STOP\n\n parar ', defaultCountry: '' };
      expect(toCompanyChange(fields, before)).toEqual({
        chatRateLimit: { max: 20, durationMs: 250 },
        optOutKeywords: ['STOP', 'parar'],
        defaultCountry: null,
      });
      expect(toCompanyChange({ ...before, isLimited: false }, before)).toEqual({ chatRateLimit: null });
      expect(linesOf('a, b;c')).toEqual(['a', 'b', 'c']);
    });
  });

  test('a lead has its further fields, and a wrong object none', () => {
    const fields = { chat: ' 551 ', name: '', source: 'site', further: '{"campaign":"x","chat":"other"}' };
    expect(leadBody(fields)).toEqual({ campaign: 'x', chat: '551', source: 'site' });
    expect(leadBody({ ...fields, further: '' })).toEqual({ chat: '551', source: 'site' });
    for (const further of ['{', '[]', '1', 'null']) expect(leadBody({ ...fields, further })).toBeUndefined();
  });

  test('an audit entry shows each field once, and none that never had a value', () => {
    expect(changesOf({ role: 'ADMIN', name: 'Ana' }, { role: 'OPERATOR', name: null, slug: null })).toEqual([
      { field: 'role', before: 'ADMIN', after: 'OPERATOR' },
      { field: 'name', before: 'Ana', after: null },
    ]);
    expect(changesOf({ isDefault: false }, null)).toEqual([{ field: 'isDefault', before: false, after: undefined }]);
    expect(changesOf(null, null)).toEqual([]);
    expect(shortValue('x'.repeat(500))).toHaveLength(161);
  });

  test('a value of an audit entry is said in words, and what has none as it is', () => {
    const formats = {
      full: (iso: string) => `at ${iso}`,
      number: (value: number) => `${value}`,
      list: (values: readonly string[]) => values.join(' and '),
    };
    const words = { FORM: 'Any form', wabaId: 'Account', hint: () => '' };
    const say = (value: unknown) => inWords(value, { none: 'nothing', yes: 'yes', no: 'no', words, formats });
    expect([null, undefined, '', [], {}].map(say)).toEqual(Array.from({ length: 5 }, () => 'nothing'));
    expect([true, false, 0, 'FORM', 'META', 'hint', 'toString'].map(say)).toEqual([
      'yes',
      'no',
      '0',
      'Any form',
      'META',
      'hint',
      'toString',
    ]);
    expect(say(['STOP', 'FORM'])).toBe('STOP and Any form');
    expect(say({ wabaId: '5', other: null })).toBe('Account: 5, other: nothing');
    expect(say([{ title: 'New leads', type: 'FIGURE' }])).toBe('New leads');
    expect(say('2026-11-03T14:05:00.000Z')).toBe('at 2026-11-03T14:05:00.000Z');
    const id = '01a228fe-1830-7250-8ffb-7bed1c4ad54c';
    expect([say(id), wholeId(id), wholeId('FORM')]).toEqual(['…1c4ad54c', id, undefined]);
  });

  test('examples of calls are JSON, and new each time', () => {
    for (const route of routeNames) expect(JSON.parse(exampleOf(route, 1_000))).toEqual(expect.any(Object));
    const inbound = '/webhooks/chat/gateway/inbound';
    expect(exampleOf(inbound, 1_000)).not.toBe(exampleOf(inbound, 2_000));
  });

  test('a refusal is its code and its detail', () => {
    expect(refusalOf('VALIDATION_FAILED: from: is required')).toEqual({
      code: 'VALIDATION_FAILED',
      detail: 'from: is required',
    });
    expect(refusalOf('a status expired')).toBeUndefined();
    expect(refusalOf(null)).toBeUndefined();
  });

  test('times of the address and of fields are the same moment', () => {
    const iso = '2026-11-03T14:05:00.000Z';
    expect(toIso(toLocalTime(iso))).toBe(iso);
    expect([toLocalTime(undefined), toLocalTime('x')]).toEqual(['', '']);
    expect([toIso(''), timeOf('soon'), timeOf(undefined)]).toEqual([undefined, undefined, undefined]);
    expect(timeOf('2026-11-03')).toBe('2026-11-03T00:00:00.000Z');
  });
}
