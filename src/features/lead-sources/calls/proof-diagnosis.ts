// Finds out for a dry run in which way a call's proof differs from the proof that its lead source needs. source-proof.ts decides which
// calls are accepted.

import { jsonOf } from '../../../platform/http/json-body.js';
import { isPlainObject } from '../../../platform/input/input.js';
import {
  diagnoseSignature,
  metaRuleOf,
  type KeyComparison,
  type SignatureRule,
  type SignatureComparison,
} from '../../intake/signature-diagnosis.js';
import { googleKeyField } from '../reading/google-lead.js';
import {
  faultOfCall,
  faultOfHeaders,
  readProof,
  signedPrefix,
  type FormSignature,
  type Header,
} from './form-signature.js';
import { equal, metaSignature, type LeadSourceCaller } from './source-proof.js';

export interface ProofDiagnosis {
  signature: SignatureComparison | null;
  key: KeyComparison | null;
}

export async function diagnoseProof(caller: LeadSourceCaller, header: Header, body: Buffer): Promise<ProofDiagnosis> {
  const { kind, appSecret, hmac } = caller;
  if (kind === 'GOOGLE') return { signature: null, key: compareKey(caller.key ?? '', body) };
  if (kind === 'FORM')
    return { signature: hmac === undefined ? null : await compareForm(hmac, header, body), key: null };
  if (appSecret === undefined || appSecret === '') return { signature: null, key: null };
  const rule = { ...metaRuleOf(appSecret), header: metaSignature };
  return { signature: await diagnoseSignature(rule, header(metaSignature), body), key: null };
}

/** The other texts that a form may have signed instead, by their schemes. */
const otherSchemes: readonly Pick<FormSignature, 'scheme'>[] = [
  { scheme: 'BODY' },
  { scheme: 'TIMESTAMP_DOT_BODY' },
  { scheme: 'TIMESTAMP_COLON_BODY' },
];

async function compareForm(signature: FormSignature, header: Header, body: Buffer): Promise<SignatureComparison> {
  const rule = formRuleOf(signature, header);
  const found = await diagnoseSignature(rule, header(signature.header), body);
  const fault = faultOfHeaders(signature, header);
  if (fault?.part === 'time') return { ...found, differs: 'time', detail: `${fault.detail}.` };
  if (fault !== undefined && found.differs !== 'missing')
    return { ...found, differs: fault.detail.includes('v1=') ? 'form' : 'time', detail: `${fault.detail}.` };
  if (found.differs !== 'secret' && found.differs !== 'form') return found;
  const other = otherSchemes.find(({ scheme }) => fitsScheme({ ...signature, scheme }, signature, header, body));
  if (other === undefined) return found;
  return {
    ...found,
    differs: 'body',
    detail: `It fits the scheme ${other.scheme}, and this source has ${signature.scheme}.`,
  };
}

function fitsScheme(other: FormSignature, { scheme }: FormSignature, header: Header, body: Buffer): boolean {
  if (other.scheme === scheme) return false;
  // A form that signs the body alone may still send a time in the place where this source looks for it.
  const [digits = ''] = readProof({ ...other, scheme }, header).signatures;
  if (other.scheme === 'BODY') return faultOfCall(other, () => digits, body) === undefined;
  return faultOfCall(other, header, body) === undefined;
}

const digestBytes = { sha1: 20, sha256: 32, sha512: 64 } as const;
const encodings = { hex: 'hexadecimal', base64: 'Base64' } as const;

function formRuleOf(signature: FormSignature, header: Header): SignatureRule {
  const { header: name, algorithm, encoding, secret, scheme, timestampHeader } = signature;
  const bytes = digestBytes[algorithm];
  const digest = encoding === 'hex' ? `[\\da-fA-F]{${bytes * 2}}` : `[\\w+/-]{${Math.ceil((bytes * 4) / 3)}}={0,2}`;
  const proof = readProof(signature, header);
  const isJoined = scheme !== 'BODY' && timestampHeader === undefined;
  const digits = `the HMAC-${algorithm.toUpperCase()} in ${encodings[encoding]}`;
  return {
    header: name,
    algorithm,
    encoding,
    prefix: isJoined ? `t=${proof.timestamp ?? ''},v1=` : '',
    signedPrefix: signedPrefix(signature, proof),
    ...(isJoined ? { digitsIn: () => proof.signatures[0] ?? '' } : {}),
    form: new RegExp(isJoined ? `(?:^|,)\\s*v1=${digest}(?:$|,)` : `^(?:${algorithm}=|v1=)?${digest}$`),
    shape: isJoined ? `t=, the time, ,v1= and ${digits}` : digits,
    secrets: [secret],
    takesJson: false,
    matches: (_, __, content) => faultOfCall(signature, header, content) === undefined,
  };
}

function compareKey(key: string, body: Buffer): KeyComparison {
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
