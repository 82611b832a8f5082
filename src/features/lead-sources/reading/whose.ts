// The name of an object, and the people that a submission knows, say whose the fields of the object are.

import { isOfLead, isOfOthers, isOfPerson } from '../../leads/whose-field.js';

/** Fields that stand side by side, as far as they may be those of a person. */
export interface Person {
  pointer: string;
  /** The name as a key; empty where they name nobody. */
  name: string;
  hasEmail: boolean;
}

/** The most people of a submission who are compared with the others. */
const maxKnown = 20;

/**
 * Returns which fields are those of somebody else: by the name of their object, or because they name one person while another one is known
 * elsewhere, by an e-mail address or as a customer. So the user of a CRM is a stranger beside its contact, and alone is none.
 */
export function strangersAmong(people: readonly Person[]): (person: Person) => boolean {
  const isKnown = ({ pointer, hasEmail, name }: Person) =>
    name !== '' && !isOfOthers(pointer) && (hasEmail || isOfLead(pointer));
  const known = people.filter(isKnown).slice(0, maxKnown);
  const strangers = new Set(
    people.filter(
      (person) =>
        isOfOthers(person.pointer) ||
        (person.name !== '' && !isOfLead(person.pointer) && known.some((other) => isBeside(person, other))),
    ),
  );
  return (person) => strangers.has(person);
}

/** Returns whether the other is another person, whose fields are not within those of the first. */
function isBeside({ pointer, name }: Person, other: Person): boolean {
  const isSame = name.includes(other.name) || other.name.includes(name);
  return !isSame && !`${other.pointer}/`.startsWith(`${pointer}/`);
}

/**
 * The person whom a number without a name beside it belongs to: the nearest object around it that is a person's, by an e-mail address or by
 * its own name, such as `contacts`. Around a number at the top there is none, but a customer within.
 * @param number its pointer; undefined where there is none, so that the e-mail address tells
 */
export function personOf<Named extends Person>(
  number: string | undefined,
  people: readonly Named[],
): Named | undefined {
  const named = people.filter(({ name }) => name !== '');
  const isAround = ({ pointer, hasEmail }: Person) =>
    number?.startsWith(`${pointer}/`) === true && (hasEmail || isOfPerson(pointer));
  const isLead = ({ pointer, hasEmail }: Person) => isOfPerson(pointer) || (number === undefined && hasEmail);
  return named.findLast(isAround) ?? named.find(isLead);
}
