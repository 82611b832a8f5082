// Reads the choice of a person from the network's own parts of a message: a button, a row of a list, or a filled form.

import { parseObject, readFormAnswers } from './form-answers.js';
import type { MessagePart } from './message-part.js';
import { objectAt, readLabel, valueAt } from './written-value.js';
import type { ReportedChoice } from '../reported.js';
import { maxBodyLength, maxChoiceLength } from '../reported.schema.js';

export interface ReadChoice {
  choice: ReportedChoice;
  /** The text that a person reads. */
  text: string | undefined;
}

/** Returns undefined for a part that is no choice. One engine writes `ID` where others write `Id`. */
export function readNetworkChoice({ name, value }: Pick<MessagePart, 'name' | 'value'>): ReadChoice | undefined {
  return readers.get(name)?.(objectAt(value));
}

const readers: ReadonlyMap<string, (value: Record<string, unknown>) => ReadChoice> = new Map([
  [
    'buttonsResponseMessage',
    (value) =>
      picked(
        'BUTTON',
        [value.selectedButtonId, value.selectedButtonID],
        [value.selectedDisplayText, valueAt(value, ['Response', 'SelectedDisplayText'])],
      ),
  ],
  [
    'templateButtonReplyMessage',
    (value) => picked('BUTTON', [value.selectedId, value.selectedID], [value.selectedDisplayText]),
  ],
  [
    'listResponseMessage',
    (value) => {
      const { selectedRowId, selectedRowID } = objectAt(value.singleSelectReply);
      return picked('LIST', [selectedRowId, selectedRowID], [value.title], [value.description]);
    },
  ],
  ['interactiveResponseMessage', readInteractive],
]);

// The names of the network's flows that are a button or a list; any other is a form.
const flowKinds: ReadonlyMap<string, 'BUTTON' | 'LIST'> = new Map([
  ['quick_reply', 'BUTTON'],
  ['cta_url', 'BUTTON'],
  ['cta_copy', 'BUTTON'],
  ['cta_call', 'BUTTON'],
  ['menu_options', 'LIST'],
  ['single_select', 'LIST'],
]);

function readInteractive(value: Record<string, unknown>): ReadChoice {
  const response = objectAt(
    value.nativeFlowResponseMessage ?? valueAt(value, ['InteractiveResponseMessage', 'NativeFlowResponseMessage']),
  );
  const { paramsJson, paramsJSON } = response;
  const written = paramsJson ?? paramsJSON;
  const words = valueAt(value, ['body', 'text']);
  const kind = flowKinds.get(readLabel(response.name, 64) ?? '');
  const parsed = kind === undefined ? undefined : parseObject(written);
  if (kind !== undefined && parsed !== undefined) {
    return picked(kind, [parsed.id], [parsed.title, parsed.display_text, words], [parsed.description]);
  }
  if (written === undefined) return picked('BUTTON', [], [words]);
  const { answers, text } = readFormAnswers(written);
  const title = readLabel(words, maxChoiceLength);
  return { choice: { kind: 'FLOW', title, answers }, text: text ?? readLabel(words, maxBodyLength) };
}

function picked(
  kind: 'BUTTON' | 'LIST',
  ids: readonly unknown[],
  titles: readonly unknown[],
  descriptions: readonly unknown[] = [],
): ReadChoice {
  const [id, title, description] = [ids, titles, descriptions].map((values) =>
    values.map((value) => readLabel(value, maxChoiceLength)).find((value) => value !== undefined),
  );
  return { choice: { kind, id, title, description }, text: title ?? description ?? id };
}
