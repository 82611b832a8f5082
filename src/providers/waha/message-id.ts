// WAHA's ids of messages: `{true|false}_{chatId}_{id}`, and behind that the participant in a group. The same message can be reported under
// two of them; the network's own id in the middle is the one that stays.

export interface WahaMessageId {
  /** True if the instance wrote the message. Undefined, as the chat is, for an id that comes by itself. */
  fromMe?: boolean | undefined;
  /** The chat in WAHA's writing: `5511988887777@c.us`, `1203@lid`. */
  chatId?: string | undefined;
  /** The network's own id. */
  id: string;
}

// A chat's name may hold an underscore before its @ (an agent), and never behind it.
const serialized =
  /^(true|false)_([^@]{0,255}@[a-z\d.-]{1,50})_([^_@]{1,255})(?:_(?:[^@]{0,255}@[a-z\d.-]{1,50}|out|in))?$/i;

/** Parses a message id of WAHA's. A text without its parts is an id by itself. */
export function parseWahaMessageId(text: string): WahaMessageId {
  const [, fromMe, chatId, id] = serialized.exec(text) ?? [];
  return id === undefined ? { id: text } : { fromMe: fromMe === 'true', chatId, id };
}
