// What proves a call of a lead source beside what would prove it, for tries. source-proof.ts decides what is accepted.

import { isPlainObject } from '../../../platform/input.js';
import { jsonOf, metaRuleOf, trySignature } from '../../intake/signature-trial.js';
import type { KeyTrial, SignatureRule, SignatureTrial } from '../../intake/signature-trial.js';
import { googleKeyField } from '../reading/google-lead.js';
import { equal, formSignatureMatches, metaSignature } from './source-proof.js';
import type { FormSignature, Header, LeadSourceCaller } from './source-proof.js';

export interface ProofTrial {
  signature: SignatureTrial | null;
  key: KeyTrial | null;
}

export async function tryProof(caller: LeadSourceCaller, header: Header, body: Buffer): Promise<ProofTrial> {
  if (caller.kind === 'GOOGLE') return { signature: null, key: tryKey(caller.key ?? '', body) };
  const rule = ruleOf(caller);
  const signature = rule === undefined ? null : await trySignature(rule, header(rule.header), body);
  return { signature, key: null };
}

function ruleOf({ kind, appSecret, hmac }: LeadSourceCaller): SignatureRule | undefined {
  if (kind !== 'META') return hmac === undefined ? undefined : formRuleOf(hmac);
  return appSecret === undefined || appSecret === '' ? undefined : { ...metaRuleOf(appSecret), header: metaSignature };
}

const digestBytes = { sha1: 20, sha256: 32, sha512: 64 } as const;
const encodings = { hex: 'hexadecimal', base64: 'Base64' } as const;

function formRuleOf(signature: FormSignature): SignatureRule {
  const { header, algorithm, encoding, secret } = signature;
  const bytes = digestBytes[algorithm];
  const digest = encoding === 'hex' ? `[\\da-fA-F]{${bytes * 2}}` : `[\\w+/-]{${Math.ceil((bytes * 4) / 3)}}={0,2}`;
  return {
    header,
    algorithm,
    encoding,
    prefix: '',
    form: new RegExp(`^(?:${algorithm}=)?${digest}$`),
    shape: `the HMAC-${algorithm.toUpperCase()} in ${encodings[encoding]}`,
    secrets: [secret],
    takesJson: false,
    matches: (_, given, body) => formSignatureMatches(signature, given, body),
  };
}

function tryKey(key: string, body: Buffer): KeyTrial {
  const field = googleKeyField;
  const parsed = jsonOf(body);
  const given = isPlainObject(parsed) ? parsed[field] : undefined;
  if (given === undefined || given === null || given === '')
    return {
      field,
      differs: 'missing',
      detail: `Send the key of the lead source as ${field}, at the top of the body.`,
    };
  if (typeof given !== 'string') return { field, differs: 'form', detail: `Send ${field} as text.` };
  if (key !== '' && equal(given, key)) return { field, differs: null, detail: null };
  if (key !== '' && equal(given.trim(), key.trim()))
    return { field, differs: 'form', detail: 'It is the key with white space around it: send it exactly.' };
  return {
    field,
    differs: 'secret',
    detail: 'It is not the key of this lead source: enter the same at Google and here.',
  };
}
