// From the fields of forms to what is sent: only what was changed, and nothing that was not asked for.

import { toIso, timeOf, toLocalTime } from '../../src/console/i18n/local-time.js';
import { exampleOf, refusalOf, routeNames } from '../../src/console/pages/calls/call-routes.js';
import { emptyFields, toChange, toCreation } from '../../src/console/pages/instances/instance-fields.js';
import { changesOf, shortValue } from '../../src/console/pages/settings/audit-changes.js';
import { linesOf, toChange as toCompanyChange, toFields } from '../../src/console/pages/settings/company-fields.js';
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

    test('the secret and the ids of Meta belong to Meta alone', () => {
      const filled = { ...before, webhookSecret: '0123456789abcdef', phoneNumberId: '1', wabaId: '2' };
      expect(toCreation(filled)).not.toHaveProperty('metadata');
      expect(toCreation(filled)).not.toHaveProperty('webhookSecret');
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
    };
    const before = toFields(company);

    test('nothing changed is nothing to send', () => {
      expect(toCompanyChange(toFields(company), before)).toEqual({});
    });

    test('each choice by itself', () => {
      const fields = { ...before, sendsReadReceipts: true, showsTyping: false };
      expect(toCompanyChange(fields, before)).toEqual({ sendsReadReceipts: true, showsTyping: false });
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

  test('an audit entry shows each field once, cut where it is long', () => {
    expect(changesOf({ role: 'ADMIN' }, { role: 'OPERATOR', name: null })).toEqual([
      { field: 'role', before: 'ADMIN', after: 'OPERATOR' },
      { field: 'name', before: undefined, after: null },
    ]);
    expect(changesOf(null, null)).toEqual([]);
    expect(shortValue('x'.repeat(500))).toHaveLength(161);
    expect([shortValue(''), shortValue(null), shortValue(['a'])]).toEqual(['""', 'null', '["a"]']);
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
