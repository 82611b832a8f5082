// A phone number as people read it. Only the style sets its groups apart: its text stays the plain number, to be copied, searched and
// read aloud.

import { groupsOfNumber, isNumber } from './number-groups.js';
import styles from './phone-number.module.css';

/** @param of digits, without a plus */
export function PhoneNumber({ of }: { of: string }) {
  return (
    <bdi className={styles.number} dir="ltr">
      +<Groups of={of} />
    </bdi>
  );
}

/** The name of a lead, which is the number of one without a name. */
export function LeadName({ name }: { name: string }) {
  if (!isNumber(name)) return name;
  return (
    <bdi className={styles.number} dir="ltr" data-name>
      <Groups of={name} />
    </bdi>
  );
}

/** A name that is a number has its groups in a sentence too. */
export function WithNumbers({ text }: { text: string }) {
  return text
    .split(/(?<![\w+])(\+?\d{8,15})(?!\w)/)
    .map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : part.startsWith('+') ? (
        <PhoneNumber key={index} of={part.slice(1)} />
      ) : (
        <LeadName key={index} name={part} />
      ),
    );
}

function Groups({ of }: { of: string }) {
  return groupsOfNumber(of).map((group, index) => (
    <span key={index} data-hyphen={group.startsWith('-') || undefined}>
      {group.replace('-', '')}
    </span>
  ));
}
