// Each provider's forms of an ad, post or product that a message came through, and links that are no ads.

import type { ReportedMessage } from '../../../src/providers/reported.js';
import { readEvolution } from '../../../src/providers/evolution/reported-call.js';
import { readMeta } from '../../../src/providers/meta/reported-call.js';
import { readNeutral } from '../../../src/providers/neutral/reported-call.js';
import { isWaha, readWaha } from '../../../src/providers/waha/reported-call.js';

type Read = Pick<ReportedMessage, 'type' | 'text' | 'referral'> | undefined;

const only = (reports: readonly unknown[]): Read => {
  const [report] = reports as { item?: ReportedMessage }[];
  return report?.item?.kind === 'message' ? report.item : undefined;
};

function meta(message: object): Read {
  const sender = { from: '12025550143', id: 'wamid.1', timestamp: '1795300000' };
  const value = {
    messaging_product: 'whatsapp',
    metadata: { phone_number_id: '1' },
    messages: [{ ...sender, type: 'text', text: { body: 'Oi' }, ...message }],
  };
  const body = { object: 'whatsapp_business_account', entry: [{ id: '2', changes: [{ field: 'messages', value }] }] };
  return only(readMeta(body).reports);
}

function evolution(data: object): Read {
  const key = { remoteJid: '12025550143@s.whatsapp.net', fromMe: false, id: '3EB0' };
  const body = {
    event: 'messages.upsert',
    instance: 'sales',
    data: { key, messageType: 'conversation', messageTimestamp: 1_795_300_000, ...data },
  };
  return only(readEvolution(body).reports);
}

function waha(payload: object): Read {
  const body = {
    event: 'message.any',
    session: 'sales',
    payload: { id: 'false_12025550143@c.us_3EB0', from: '12025550143@c.us', fromMe: false, body: 'Oi', ...payload },
  };
  if (!isWaha(body)) throw new Error('not of its shape');
  return only(readWaha(body).reports);
}

const neutral = (referral: unknown, text: string | undefined = 'Oi') =>
  readNeutral({ messageId: '1', from: '12025550143', text, referral }, 'messages').reports[0];

const card = {
  title: 'Turmas abertas',
  body: 'Fale conosco',
  sourceType: 'ad',
  sourceId: '120239177205810192',
  sourceUrl: 'https://fb.example/5z9Rw',
  ctwaClid: 'Affc9P3TLX9o7iBS',
  thumbnail: '/9j/4AAQ',
};
const read = {
  kind: 'AD',
  sourceId: '120239177205810192',
  sourceUrl: 'https://fb.example/5z9Rw',
  headline: 'Turmas abertas',
  body: 'Fale conosco',
  clickId: 'Affc9P3TLX9o7iBS',
};
const withCard = (contextInfo: object) => ({ message: { extendedTextMessage: { text: 'Oi', contextInfo } } });

export function describeReferralReading(): void {
  describe('Meta', () => {
    const ad = {
      source_url: 'https://fb.example/5z9Rw',
      source_id: '120239177205810192',
      source_type: 'ad',
      headline: 'Turmas abertas',
      body: 'Fale conosco',
      ctwa_clid: 'Affc9P3TLX9o7iBS',
    };

    test('an ad and a post, with and without a click', () => {
      expect(meta({ referral: ad })?.referral).toEqual(read);
      expect(meta({ referral: { ...ad, source_type: 'post', ctwa_clid: undefined } })?.referral).toEqual({
        ...read,
        kind: 'POST',
        clickId: undefined,
      });
      expect(meta({ referral: { ...ad, source_type: 'status' } })?.referral?.kind).toBe('OTHER');
    });

    test("a product of a catalogue, by the retailer's id", () => {
      const context = { referred_product: { catalog_id: '9', product_retailer_id: 'sku-7' } };
      expect(meta({ context })?.referral).toEqual({ kind: 'PRODUCT', sourceId: 'sku-7' });
    });

    test('nothing where there is nothing, and of an unreadable one what can be read', () => {
      for (const referral of [undefined, null, 'ad', [], {}]) expect(meta({ referral })?.referral).toBeUndefined();
      expect(meta({ context: { referred_product: {} } })?.referral).toBeUndefined();
      const odd = {
        source_type: 'ad',
        source_id: 120_239,
        source_url: 'javascript:alert(1)',
        headline: 'x'.repeat(600),
      };
      expect(meta({ referral: odd })?.referral).toEqual({ kind: 'AD', headline: 'x'.repeat(500) });
    });

    test("the ad's id is no click", () => {
      expect(meta({ referral: { ...ad, ctwa_clid: ad.source_id } })?.referral?.clickId).toBeUndefined();
    });
  });

  describe('Evolution', () => {
    test('the card in the message itself, beside it, and in a wrapper', () => {
      expect(evolution(withCard({ externalAdReply: card }))?.referral).toEqual(read);
      expect(evolution({ message: { conversation: 'Oi' }, contextInfo: { externalAdReply: card } })?.referral).toEqual(
        read,
      );
      const wrapped = { message: { ephemeralMessage: withCard({ externalAdReply: card }) } };
      expect(evolution(wrapped)?.referral).toEqual(read);
    });

    test('where the card does not say its type: by the way into the conversation, or by the click', () => {
      const { sourceType: _, ctwaClid: __, ...bare } = card;
      const { clickId: ___, ...known } = read;
      const entry = { entryPointConversionSource: 'ctwa_ad' };
      expect(evolution(withCard({ ...entry, externalAdReply: bare }))?.referral).toEqual(known);
      expect(evolution(withCard({ externalAdReply: { ...bare, ctwaClid: card.ctwaClid } }))?.referral).toEqual(read);
      expect(evolution(withCard(entry))?.referral).toEqual({ kind: 'AD' });
    });

    test('no link preview, no other way in, no answer to a status, nothing forwarded, and nothing of ours', () => {
      const none = [
        { externalAdReply: { title: 'A page', sourceUrl: 'https://x.example' } },
        { entryPointConversionSource: 'click_to_chat_link' },
        { remoteJid: 'status@broadcast', entryPointConversionSource: 'status', externalAdReply: card },
        { isForwarded: true, externalAdReply: card },
      ];
      for (const context of none)
        expect(evolution(withCard(context))).toMatchObject({ text: 'Oi', referral: undefined });
      const key = { remoteJid: '12025550143@s.whatsapp.net', fromMe: true, id: '3EB0' };
      expect(evolution({ key, ...withCard({ externalAdReply: card }) })?.referral).toBeUndefined();
    });

    test('a message without a word is one where the card has a headline', () => {
      expect(evolution({ message: {}, contextInfo: { externalAdReply: card } })).toMatchObject({
        type: 'text',
        referral: read,
      });
      expect(evolution({ message: {}, contextInfo: {} })).toBeUndefined();
    });
  });

  describe('WAHA', () => {
    const { sourceId: sourceID, sourceUrl: sourceURL, ...rest } = card;

    test('the card as each engine writes it', () => {
      expect(waha({ _data: withCard({ externalAdReply: card }) })?.referral).toEqual(read);
      const { message: Message } = withCard({ externalAdReply: { ...rest, sourceID, sourceURL } });
      expect(waha({ _data: { Info: {}, Message } })?.referral).toEqual(read);
      const { body: description, ...named } = card;
      const ctwaContext = { ...named, description, conversionSource: 'FB_Ads' };
      expect(waha({ _data: { type: 'chat', ctwaContext } })?.referral).toEqual(read);
    });

    test('a click beside the card, and nothing where there is nothing', () => {
      const Message = {
        extendedTextMessage: { text: 'Oi', contextInfo: { conversionSource: 'FB_Ads', ctwaClid: 'Afcg5' } },
      };
      expect(waha({ _data: { Message } })?.referral).toEqual({ kind: 'AD', clickId: 'Afcg5' });
      for (const _data of [undefined, {}, { type: 'chat' }, withCard({})])
        expect(waha({ _data })?.referral).toBeUndefined();
    });
  });

  describe('the neutral dialect', () => {
    test('a referral, bounded, in any letter case', () => {
      expect(neutral({ ...read, kind: 'ad' })).toMatchObject({ item: { referral: read } });
      expect(neutral({ sourceId: '7', headline: '' })).toMatchObject({
        item: { referral: { kind: 'AD', sourceId: '7' } },
      });
      for (const empty of [null, {}, { sourceId: '', headline: null }])
        expect(neutral(empty)).toMatchObject({ item: { referral: undefined } });
    });

    test('a message without a word is one where the referral has a headline', () => {
      expect(neutral(read, '')).toMatchObject({ item: { type: 'text', text: undefined, referral: read } });
      expect(neutral({ sourceId: '7' }, '')).toMatchObject({ errors: [{ path: 'text' }] });
    });

    test('blank fields count as left out, and what cannot be stored is replaced', () => {
      const written = { kind: ' ', sourceId: '7', sourceUrl: ' ', headline: 'a\u0000', body: null, clickId: ' ' };
      expect(neutral(written)).toMatchObject({
        item: { referral: { kind: 'AD', sourceId: '7', headline: 'a\uFFFD' } },
      });
    });

    test('names the field that is wrong', () => {
      const pathsOf = (referral: unknown) => {
        const report = neutral(referral);
        return report !== undefined && 'errors' in report ? report.errors.map(({ path }) => path) : [];
      };
      expect(pathsOf('ad')).toEqual(['referral']);
      expect(pathsOf({ kind: 'banner' })).toEqual(['referral.kind']);
      expect(pathsOf({ sourceUrl: 'javascript:alert(1)' })).toEqual(['referral.sourceUrl']);
      expect(pathsOf({ sourceId: 7 })).toEqual(['referral.sourceId']);
    });
  });
}
