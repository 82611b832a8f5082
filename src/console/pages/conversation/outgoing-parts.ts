// The messages of one press of the button: a text, or one message for each file. The first message carries the text and the quote. Sound
// carries no text, which then goes before it.

import type { ChannelTemplateInput, SendMessageInput } from '../../api/operations.js';
import { emptyDraft, type Draft } from '../../live/drafts.js';

interface Target {
  leadId: string;
  instanceId: string | undefined;
  sendAt: Date | undefined;
}

export interface Part {
  input: SendMessageInput;
  draft: Draft;
}

export function toParts(draft: Draft, { leadId, instanceId, sendAt }: Target): Part[] {
  const { quote, files } = draft;
  const text = draft.text.trim();
  const base: SendMessageInput = { leadId, instanceId, ...(sendAt !== undefined && { sendAt: sendAt.toISOString() }) };
  const first = quote === undefined ? base : { ...base, replyToMessageId: quote.id };
  if (files.length === 0) return text === '' ? [] : [{ input: { ...first, body: text }, draft: { ...draft, text } }];
  const [firstFile] = files;
  if (text !== '' && firstFile?.mimeType.startsWith('audio/') === true) {
    const words: Part = { input: { ...first, body: text }, draft: { ...draft, text, files: [] } };
    const sound = { ...draft, text: '', quote: undefined };
    return [words, ...toParts(sound, { leadId, instanceId, sendAt })];
  }
  return files.map((file, index) => {
    const own = index === 0 ? first : base;
    const caption = index === 0 && text !== '' ? { caption: text } : {};
    const kept = index === 0 ? { ...draft, text, files: [file] } : { ...emptyDraft, files: [file] };
    return { input: { ...own, media: { id: file.id, fileName: file.name, ...caption } }, draft: kept };
  });
}

/** Builds the message of a network template. If it is taken back, the composer stays empty, because the text belongs to the network. */
export function toTemplatePart(
  template: ChannelTemplateInput,
  shown: string,
  { leadId, instanceId }: Omit<Target, 'sendAt'>,
): Part {
  return { input: { leadId, instanceId, channelTemplate: template }, draft: { ...emptyDraft, shown } };
}
