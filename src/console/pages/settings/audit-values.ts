// The values of an audit entry's fields in words. A choice has the words of the form that makes it; what has none is shown as it is.

import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { providerName } from '../../parts/providers.js';
import { rangeTexts } from '../../parts/range-texts.js';
import { inWords, shortValue, type Words } from './audit-changes.js';
import { auditValueTexts } from './audit-value-texts.js';
import { companyTexts } from './company-texts.js';
import { eventTypeTexts } from './event-type-texts.js';
import { leadSourceTexts } from './lead-source-texts.js';
import type { AuditTargetKind } from './operations.js';
import { signatureTexts } from './signature-texts.js';
import { usersTexts } from './users-texts.js';

/** Says the value of a field of a kind of record. */
export type FieldValues = (kind: AuditTargetKind, field: string, value: unknown) => string;

export function useFieldValues(): FieldValues {
  const texts = useTexts(auditValueTexts);
  const company = useTexts(companyTexts);
  const eventType = useTexts(eventTypeTexts);
  const signature = useTexts(signatureTexts);
  const source = useTexts(leadSourceTexts);
  const user = useTexts(usersTexts);
  const range = useTexts(rangeTexts);
  const formats = useFormats();
  const choices: Partial<Record<AuditTargetKind, Record<string, Words>>> = {
    TENANT: {
      assistants: { OFF: company.assistantsOFF, DRAFT: company.assistantsDRAFT, SEND: company.assistantsSEND },
      signature,
    },
    USER: { role: user },
    CHAT_INSTANCE: { status: texts, healthCode: texts, metadata: texts },
    TEMPLATE: { visibility: texts },
    DASHBOARD: { timeRange: range },
    WEBHOOK_ENDPOINT: { eventTypes: eventType },
    LEAD_SOURCE: { kind: source, hmacScheme: source },
  };
  return (kind, field, value) => {
    const words = choices[kind]?.[field] ?? {};
    if (field === 'provider' && typeof value === 'string') return providerName(value);
    if (field === 'fileIds' && Array.isArray(value) && value.length > 0) return texts.files(value.length);
    if (field === 'graceSeconds' && typeof value === 'number' && value > 0) return formats.span(value * 1_000);
    const limit = field === 'chatRateLimit' ? limitOf(value) : undefined;
    if (limit !== undefined) return texts.sends(limit.max, formats.span(limit.durationMs));
    return shortValue(inWords(value, { ...texts, words, formats }));
  };
}

function limitOf(value: unknown): { max: number; durationMs: number } | undefined {
  const { max, durationMs } = (value ?? {}) as Record<string, unknown>;
  return typeof max === 'number' && typeof durationMs === 'number' ? { max, durationMs } : undefined;
}
