// Reads Meta's messages that are neither text nor files: choices, forms, and notices of the network. Every known type of Meta's is sorted
// here or in reported-message.ts; a type that stands in neither is unknown.

import { readFormAnswers } from '../whatsapp/form-answers.js';
import { noticeText } from '../whatsapp/notice-text.js';
import { fieldsOf, idIn, wordIn, type Fields } from './contact.js';
import type { ReportedMessage, ReportedNotice } from '../reported.js';
import { maxBodyLength, maxChoiceLength } from '../reported.schema.js';
import { chatNumberSchema } from '../../platform/phone-numbers/number.schema.js';

type Said = Pick<ReportedMessage, 'text' | 'choice' | 'isNotice' | 'notice'> & { type: string };

/** Types that are no speech. */
export const quietMetaTypes: ReadonlySet<string> = new Set(['request_welcome']);

/** Types without content. Meta may send such a message again with its content. */
export const emptyMetaTypes: ReadonlySet<string> = new Set(['unknown', 'unsupported']);

/** Reads the choice of a template's button. */
export function readMetaButton(details: Fields): Said {
  const title = wordIn(details, 'text', maxChoiceLength);
  const id = wordIn(details, 'payload', maxChoiceLength);
  return { type: 'button', text: title ?? id, choice: { kind: 'BUTTON', id, title } };
}

export function readMetaInteractive(details: Fields): Said {
  const type = 'interactive';
  const permission = details.call_permission_reply;
  if (permission != null) return permissionNotice(fieldsOf(permission));
  const form = details.nfm_reply;
  if (form != null) {
    const title = wordIn(fieldsOf(form), 'body', maxBodyLength);
    const { answers, text } = readFormAnswers(fieldsOf(form).response_json);
    return {
      type,
      text: text ?? title,
      choice: { kind: 'FLOW', id: wordIn(fieldsOf(form), 'name', 255), title, answers },
    };
  }
  const isList = details.list_reply != null;
  if (!isList && details.button_reply == null) return { type };
  const picked = fieldsOf(isList ? details.list_reply : details.button_reply);
  const [id, title, description] = ['id', 'title', 'description'].map((key) => wordIn(picked, key, maxChoiceLength));
  return {
    type,
    text: title ?? description ?? id,
    choice: { kind: isList ? 'LIST' : 'BUTTON', id, title, description },
  };
}

function permissionNotice(reply: Fields): Said {
  const until = Number(wordIn(reply, 'expiration_timestamp', 20));
  const date = new Date(until * 1_000);
  const isDated = until > 0 && !Number.isNaN(date.getTime());
  const accepted = isDated ? `May be called until ${date.toISOString().slice(0, 10)}` : 'May be called';
  const text = wordIn(reply, 'response', 32) === 'accept' ? accepted : 'May not be called';
  return { type: 'notice', text, isNotice: true, notice: { kind: 'CALL_PERMISSION' } };
}

/** Reads a system message about a changed number, a changed security code, or something else. */
export function readMetaSystem(details: Fields): Said {
  const notice = readNotice(details);
  const text = wordIn(details, 'body', maxBodyLength) ?? noticeText(notice);
  return { type: 'notice', isNotice: true, text, notice };
}

function readNotice(details: Fields): ReportedNotice {
  const kind = wordIn(details, 'type', 64);
  if (kind === 'user_changed_number' || kind === 'customer_changed_number') {
    const phone = chatNumberSchema.safeParse(details.new_wa_id ?? details.wa_id).data;
    return { kind: 'NUMBER_CHANGED', newContact: phone === undefined ? undefined : { kind: 'PHONE', value: phone } };
  }
  if (kind === 'user_changed_user_id') {
    const userId = idIn(details, 'user_id');
    return { kind: 'OTHER', newContact: userId === undefined ? undefined : { kind: 'BSUID', value: userId } };
  }
  return { kind: kind === 'customer_identity_changed' ? 'IDENTITY_CHANGED' : 'OTHER' };
}
