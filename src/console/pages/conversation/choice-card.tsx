// The choice that a lead made from an offer: a button, a row of a list, or a form with its answers.

import { withReadableDates } from '../../i18n/dates-in-text.js';
import { useTexts } from '../../i18n/language.js';
import type { ChatMessage } from '../../live/conversation-store.js';
import styles from './choice.module.css';
import { conversationTexts } from './texts.js';
import { answerRowsOf } from './words.js';

type Choice = NonNullable<ChatMessage['choice']>;

export function ChoiceCard({ choice }: { choice: Choice }) {
  const texts = useTexts(conversationTexts);
  const { kind, title, description, answers } = choice;
  const rows = answerRowsOf(answers ?? {}, { yes: texts.yes, no: texts.no, readable: withReadableDates });
  return (
    <div className={styles.choice} role="group" aria-label={texts[kind]}>
      <small>{texts[kind]}</small>
      {title !== null && <strong dir="auto">{title}</strong>}
      {description !== null && <p dir="auto">{description}</p>}
      {rows.length > 0 && (
        <table aria-label={texts.answers}>
          <tbody>
            {rows.map(({ name, value }, index) => (
              <tr key={index}>
                <th scope="row" dir="auto">
                  {name}
                </th>
                <td dir="auto">{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

/** Returns true if the card shows all of the message's text, which is then not repeated below it. */
export function saysItself({ title, answers }: Choice, body: string | null): boolean {
  return body === title || (answers !== null && Object.keys(answers).length > 0);
}
