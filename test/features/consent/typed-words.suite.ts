// Only a person's typed text can opt out. A short text that holds such a word is pointed out.

import { query } from '../../support/graphql-client.js';
import { MessageContentDocument } from '../../support/operations.js';
import { withTenant } from '../../support/shared-app.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { plainNumber } from '../messages/sending-harness.js';
import { optOutOf, setKeywords, write } from './consent-harness.js';

export function describeTypedWords(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenant((made) => ({ app, tenant } = made));

  /** @returns the very first message of a lead, and the second one of another lead, which takes the fast path */
  async function written(text: string, more: object = {}) {
    const number = plainNumber();
    const first = await write(app, tenant, number, { text, ...more });
    const known = plainNumber();
    await write(app, tenant, known, { text: 'Bom dia' });
    const second = await write(app, tenant, known, { text, ...more });
    return Promise.all(
      [first, second].map(async ({ messageId, leadId }) => {
        const { message } = await query(app, tenant.operator, MessageContentDocument, { id: messageId });
        return { mayWantToStop: message?.mayWantToStop, optOut: await optOutOf(app, tenant, leadId) };
      }),
    );
  }

  test.each(['Stop. Thank you', 'por favor, SAIR!', 'quero cancelar isso agora', '“baja” por favor'])(
    '%j opts nobody out, and may be meant so',
    async (text) => {
      for (const one of await written(text)) expect(one).toEqual({ mayWantToStop: true, optOut: null });
    },
  );

  test.each(['Bom dia', 'nonstop', 'this has to stop before we talk again', 'STOPP', 'start please', '...'])(
    '%j is no such text',
    async (text) => {
      for (const one of await written(text)) expect(one).toEqual({ mayWantToStop: false, optOut: null });
    },
  );

  test.each([
    ['a place', { type: 'location' }],
    ['a card', { type: 'contact' }],
    ['a button', { choice: { kind: 'BUTTON', id: 'stop', title: 'STOP' } }],
    ['a row of a list', { choice: { kind: 'LIST', id: 'stop', title: 'STOP' } }],
    ['a form', { choice: { kind: 'FLOW', answers: { wish: 'STOP' } } }],
    ['a notice', { type: 'notice', notice: { kind: 'IDENTITY_CHANGED' } }],
    ['a caption', { type: 'image', text: null, media: { url: 'https://files.example/a.png', caption: 'STOP' } }],
  ])('a keyword that stands in %s is none, and is not pointed out', async (_name, more) => {
    for (const one of await written('STOP', more)) expect(one).toEqual({ mayWantToStop: false, optOut: null });
  });

  test('of a tenant’s own keywords those of several words count, and those that opt in do not', async () => {
    tenant = await app.createTenant();
    await setKeywords(app, tenant, { optOutKeywords: ['no más'], optInKeywords: ['dale'] });
    for (const [text, expected] of [
      ['¡No  más!', { mayWantToStop: false, optOut: { keyword: 'no más' } }],
      ['no mas gracias', { mayWantToStop: true, optOut: null }],
      ['no hay mas', { mayWantToStop: false, optOut: null }],
      ['dale gracias', { mayWantToStop: false, optOut: null }],
    ] as const)
      for (const one of await written(text)) expect(one).toMatchObject(expected);
  });
}
