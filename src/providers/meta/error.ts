// The errors of Meta's Cloud API: what each means, whether it passes by itself, and what to do about it. One table for the answers of
// sends, the statuses that come later, and the documents.

/**
 * - `temporary`: it passes by itself; the message is sent again.
 * - `busy`: as `temporary`, and the whole instance sends too fast.
 * - `out`: the instance cannot send; its messages wait until it can.
 * - `permanent`: no repetition changes it.
 */
export type MetaErrorKind = 'temporary' | 'busy' | 'out' | 'permanent';

export interface MetaError {
  kind: MetaErrorKind;
  /** The meaning in a few words. */
  meaning: string;
  /** The advice as a sentence. */
  advice: string;
  /** The shortest wait in seconds, where it is longer than usual. */
  leastSeconds?: number;
}

const passes = 'Leadwire tries it again.';

const rows: readonly (readonly [
  code: string,
  kind: MetaErrorKind,
  meaning: string,
  advice: string,
  leastSeconds?: number,
])[] = [
  ['1', 'temporary', 'Meta has a fault', passes],
  ['2', 'temporary', 'Meta is down or overloaded', passes],
  ['4', 'busy', 'the app makes too many calls', passes],
  ['190', 'out', 'the access token is not valid', "Enter a new access token as the chat instance's token."],
  [
    '368',
    'out',
    'the account is restricted for a violation of a policy',
    "Read in Meta's business support which policy the account has broken, and ask for a review.",
  ],
  ['80007', 'busy', 'the business account makes too many calls', passes],
  ['130429', 'busy', 'the number sends too fast', passes],
  [
    '130472',
    'permanent',
    'Meta holds marketing messages to this person back, as part of an experiment',
    'Wait until the lead writes to you, or reach the lead in another way.',
  ],
  [
    '131026',
    'permanent',
    'the message cannot be delivered',
    "Check the lead's number; the lead may have to update the app or accept the network's terms.",
  ],
  [
    '131031',
    'out',
    'the account is locked',
    "Read in Meta's business support why the account is locked, and ask for a review.",
  ],
  ['131042', 'out', 'payment is not in order', "Put the account's means of payment in order in Meta's billing hub."],
  [
    '131047',
    'permanent',
    'the reply window is closed',
    'The lead last wrote more than 24 hours ago: send a channel template.',
  ],
  [
    '131048',
    'busy',
    'too many messages of the number were blocked or reported',
    "Look at the number's quality in Meta's tools, and send only to leads that expect it.",
    3_600,
  ],
  [
    '131049',
    'permanent',
    'Meta limits marketing messages to this person',
    'The network held the message back to spare the lead: wait a day or more before you send again.',
  ],
  [
    '131050',
    'permanent',
    'the lead has stopped marketing messages',
    'Send no marketing templates to this lead until the lead resumes them.',
  ],
  [
    '131051',
    'permanent',
    'the type of message is not supported',
    'Send the content as text, or as a file of a supported type.',
  ],
  [
    '131052',
    'permanent',
    'the file could not be downloaded',
    'Check that the address of the file can be fetched without signing in, then send it again.',
  ],
  [
    '131053',
    'permanent',
    'the file could not be uploaded',
    "Check the file's type and size against Meta's limits, then send it again.",
  ],
  // A number and a person may exchange one message in 6 seconds.
  ['131056', 'temporary', 'too many messages to this person', passes, 6],
  ['131057', 'temporary', 'the account is under maintenance', passes],
  [
    '132000',
    'permanent',
    'the number of values is wrong',
    'Give the template as many values as it has variables. Sync the channel templates if it was changed.',
  ],
  [
    '132001',
    'permanent',
    'there is no such template in this language',
    'Choose a template that is approved in this language. Sync the channel templates to see which are.',
  ],
  ['132005', 'permanent', 'the text with its values is too long', 'Send shorter values.'],
  [
    '132007',
    'permanent',
    'the content breaks a policy',
    "Change the template in Meta's tools, and send it once it is approved.",
  ],
  [
    '132012',
    'permanent',
    'a value has the wrong format',
    'Give each value of the template the format that its variable has.',
  ],
  [
    '132015',
    'permanent',
    'the template is paused, because people disliked it',
    'Choose another template, or wait until this one is APPROVED again.',
  ],
  [
    '132016',
    'permanent',
    'the template is disabled for good',
    "Choose another template, or make a new one in Meta's tools.",
  ],
];

/** The errors by their code, as text. */
export const metaErrors: ReadonlyMap<string, MetaError> = new Map(
  rows.map(([code, kind, meaning, advice, leastSeconds]) => [
    code,
    { kind, meaning, advice, ...(leastSeconds === undefined ? {} : { leastSeconds }) },
  ]),
);

/**
 * The advice on a message that Meta reported as failed: it is not sent again by itself, whatever the code.
 * @returns undefined for a code that is not in the table
 */
export function adviceOnFailure(code: string): string | undefined {
  const error = metaErrors.get(code);
  if (error === undefined) return undefined;
  return error.advice === passes ? 'It passes by itself: send the message again later.' : error.advice;
}
