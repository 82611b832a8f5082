// Evolution Go, the rewrite of Evolution in Go, calls with the structures of its library whatsmeow. Here its calls become those of
// Evolution API v2, so that one set of readers serves both.

import { isPlainObject } from '../../platform/input/input.js';
import { objectAt, readDate } from '../whatsapp/written-value.js';

type Fields = Record<string, unknown>;

/** Returns whether the body has the shape of a call of Evolution Go. */
export function isEvolutionGo(body: unknown): body is Fields {
  if (!isPlainObject(body) || body.data === undefined || body.instance !== undefined) return false;
  return typeof body.event === 'string' && typeof body.instanceName === 'string' && body.instanceId !== undefined;
}

/**
 * Returns the call as Evolution API v2 would make it. An event that has no counterpart keeps its name, and so is one that is not handled.
 */
export function toEvolution({ event, instanceName: instance, data, state }: Fields): Fields {
  const [name, read] = calls.get(String(event)) ?? [event, (fields: Fields) => fields];
  return { event: name, instance, data: read(objectAt(data), state) };
}

type Reader = (data: Fields, state: unknown) => unknown;

const calls: ReadonlyMap<string, readonly [event: string, read: Reader]> = new Map<string, readonly [string, Reader]>([
  ['Message', ['messages.upsert', toMessage]],
  ['SendMessage', ['send.message', toMessage]],
  ['Receipt', ['messages.update', toStatuses]],
  ['CallOffer', ['call', toCall]],
  ['Connected', ['connection.update', ({ jid }) => ({ state: 'open', wuid: jid })]],
  ['Disconnected', ['connection.update', () => ({ state: 'close' })]],
  ['ConnectFailure', ['connection.update', () => ({ state: 'close' })]],
  ['LoggedOut', ['connection.update', () => ({ state: 'close', statusReason: 401 })]],
  ['TemporaryBan', ['connection.update', () => ({ state: 'close', statusReason: 402 })]],
  ['QRCode', ['qrcode.updated', (data) => ({ qrcode: data })]],
  ['QRTimeout', ['qrcode.updated', () => ({ statusCode: 408 })]],
]);

function toMessage(data: Fields): Fields {
  const { Chat, Sender, SenderAlt, RecipientAlt, IsFromMe, ID, PushName, Timestamp } = objectAt(data.Info);
  return {
    key: {
      remoteJid: Chat,
      remoteJidAlt: IsFromMe === true ? RecipientAlt : SenderAlt,
      participant: Sender,
      fromMe: IsFromMe,
      id: ID,
    },
    pushName: PushName,
    message: renamed(data.Message, maxDepth),
    contextInfo: renamed(data.MessageContextInfo, maxDepth),
    // A picture that may be seen once stays on the phone: the line learns no more than that it came.
    messageStubType: data.IsUnavailable === true ? 'CIPHERTEXT' : undefined,
    messageTimestamp: readDate(Timestamp)?.getTime(),
  };
}

const receipts: ReadonlyMap<unknown, string> = new Map([
  ['Read', 'READ'],
  ['Delivered', 'DELIVERY_ACK'],
]);

/** A receipt may be for several messages. The receipts of the line's own devices say nothing of the lead. */
function toStatuses({ MessageIDs, Chat, IsFromMe, Timestamp }: Fields, state: unknown): unknown[] {
  const ids: unknown[] = Array.isArray(MessageIDs) ? MessageIDs : [undefined];
  const status = (IsFromMe === true ? undefined : receipts.get(state)) ?? `own or other receipt: ${String(state)}`;
  return ids.map((keyId) => ({
    keyId,
    remoteJid: Chat,
    fromMe: true,
    status,
    receiptTimestamp: readDate(Timestamp)?.getTime(),
  }));
}

function toCall({ CallID, From, CallCreator, CallCreatorAlt, GroupJID, Timestamp }: Fields): Fields {
  return { id: CallID, from: From ?? CallCreator, callerPn: CallCreatorAlt, groupJid: GroupJID, timestamp: Timestamp };
}

/** Deeper parts of a message are quotations of quotations. */
const maxDepth = 20;

/** The library writes ends of names in capitals: `stanzaID`, `remoteJID`, `URL`. */
function renamed(value: unknown, depth: number): unknown {
  if (depth === 0) return undefined;
  if (Array.isArray(value)) return value.map((each: unknown) => renamed(each, depth - 1));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [nameOf(name), renamed(inner, depth - 1)]));
}

const nameOf = (name: string) =>
  name.replace(/(.?)(JID|URL|PTT|JSON|ID)$/, (_, before: string, end: string) => {
    const [first = '', ...rest] = end;
    return before + (before === '' ? first.toLowerCase() : first) + rest.join('').toLowerCase();
  });
