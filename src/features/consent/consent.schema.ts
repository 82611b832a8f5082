// Bounds and words of consent.

import { text } from '../../platform/input/input.js';

/** The decisions, with their effects. */
export const consentActions = {
  OPT_OUT: 'The lead gets no bulk and no scheduled messages from then on.',
  OPT_IN: 'The lead gets them again.',
  DISCLAIMER: 'The lead answered the disclaimers of a lead form. That changes nothing about what it gets.',
} as const;

export type ConsentAction = keyof typeof consentActions;

/** The ways in which a decision came about. */
export const consentSources = {
  KEYWORD: 'The lead wrote a keyword.',
  PREFERENCE: 'The lead used the switch of the chat network (`user_preferences` of Meta).',
  USER: 'A user entered it.',
  LEAD_FORM: 'The lead filled in a form of a lead source.',
  ERASURE: 'An earlier lead of the same number or id had opted out, and was erased.',
} as const;

export type ConsentSource = keyof typeof consentSources;

export const maxReasonLength = 500;

export const reasonSchema = text(maxReasonLength);
