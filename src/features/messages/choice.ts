// The choice that a lead made from an offer, and its form in a row. PostgreSQL sorts the names in jsonb, so the answers of a form are kept as text, in the form's order.

import type { Prisma } from '../../platform/database.js';

/** The lead's choice: a button, a row of a list, or a form that was filled in. */
export interface ReportedChoice {
  kind: 'BUTTON' | 'LIST' | 'FLOW';
  /** The sender's own id of the chosen option; undefined if the network gives none. */
  id?: string | undefined;
  title?: string | undefined;
  description?: string | undefined;
  /** The answers of a form, without its token. */
  answers?: Record<string, unknown> | undefined;
}

/** A choice as the API, the exports and deliveries show it. */
export interface ShownChoice extends Omit<ReportedChoice, 'answers'> {
  answers?: unknown;
}

/** Returns the choice as JSON, in the form that is stored. */
export function toStoredChoice({ answers, ...choice }: ReportedChoice): string {
  return JSON.stringify({ ...choice, answersText: answers === undefined ? undefined : JSON.stringify(answers) });
}

/** Reads the choice of a row. A row of an earlier version has the answers themselves. */
export function readStoredChoice(stored: Prisma.JsonValue): ShownChoice | null {
  if (stored == null) return null;
  const { answersText, ...choice } = stored as unknown as ShownChoice & { answersText?: string };
  return answersText === undefined ? choice : { ...choice, answers: JSON.parse(answersText) as unknown };
}
