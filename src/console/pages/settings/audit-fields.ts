// The names of an audit entry's fields. They are the labels of the forms that change them, or have the same words.

import { useTexts } from '../../i18n/language.js';
import { auditFieldTexts } from './audit-field-texts.js';
import { auditTexts } from './audit-texts.js';
import { companyTexts } from './company-texts.js';
import { keysTexts } from './keys-texts.js';
import { leadSourceTexts } from './lead-source-texts.js';
import type { AuditTargetKind } from './operations.js';
import { signatureTexts } from './signature-texts.js';
import { usersTexts } from './users-texts.js';
import { webhooksTexts } from './webhooks-texts.js';

/** Names a field of a kind of record; undefined where no form has a label for it. */
export type FieldNames = (kind: AuditTargetKind, field: string) => string | undefined;

export function useFieldNames(): FieldNames {
  const audit = useTexts(auditTexts);
  const elsewhere = useTexts(auditFieldTexts);
  const company = useTexts(companyTexts);
  const endpoint = useTexts(webhooksTexts);
  const key = useTexts(keysTexts);
  const { signsAs } = useTexts(signatureTexts);
  const source = useTexts(leadSourceTexts);
  const user = useTexts(usersTexts);
  const names: Partial<Record<AuditTargetKind, Record<string, string>>> = {
    TENANT: {
      name: company.name,
      chatRateLimit: company.chatRateLimit,
      webhookSourceLabel: company.webhookSourceLabel,
      defaultCountry: company.defaultCountry,
      optOutKeywords: company.optOutKeywords,
      optInKeywords: company.optInKeywords,
      optOutReply: company.optOutReply,
      sendsReadReceipts: company.sendsReadReceipts,
      showsTyping: company.showsTyping,
      checksNumbers: company.checksNumbers,
      assistants: company.assistants,
      signature: company.signature,
      signatureFormat: company.signatureFormat,
      pushesText: company.pushesText,
      graceSeconds: key.grace,
      isActive: elsewhere.active,
    },
    USER: { name: user.name, displayName: signsAs, email: user.email, role: user.role, isActive: elsewhere.active },
    CHAT_INSTANCE: {
      instanceName: elsewhere.name,
      accountId: elsewhere.account,
      provider: elsewhere.kindOfGateway,
      isDefault: elsewhere.isDefault,
      baseUrl: elsewhere.baseUrl,
      number: elsewhere.number,
      status: elsewhere.state,
      tokenChanged: elsewhere.tokenChanged,
      webhookSecretChanged: elsewhere.secretChanged,
      metadata: elsewhere.details,
      healthCode: elsewhere.problem,
      codeShown: elsewhere.codeShown,
      since: audit.since,
      until: audit.until,
    },
    TEMPLATE: {
      name: elsewhere.name,
      body: elsewhere.text,
      shortcut: elsewhere.shortcut,
      visibility: elsewhere.visibility,
      fileIds: elsewhere.files,
      version: elsewhere.version,
    },
    DASHBOARD: {
      name: elsewhere.name,
      widgets: elsewhere.widgets,
      timeZone: elsewhere.zone,
      timeRange: elsewhere.range,
    },
    WEBHOOK_ENDPOINT: {
      url: endpoint.url,
      description: endpoint.description,
      eventTypes: endpoint.eventTypes,
      isEnabled: endpoint.enabled,
      graceSeconds: key.grace,
      since: audit.since,
      replayed: elsewhere.replayed,
    },
    LEAD_SOURCE: {
      kind: source.kind,
      name: source.name,
      baseUrl: source.baseUrl,
      mapping: source.mapping,
      formIds: source.formIds,
      readSince: audit.since,
      hmacHeader: source.header,
      hmacAlgorithm: source.algorithm,
      hmacEncoding: source.encoding,
      hmacScheme: source.scheme,
      hmacTimestampHeader: source.timestampHeader,
      hmacToleranceSeconds: source.toleranceSeconds,
      leadId: elsewhere.lead,
    },
    LEAD: { messages: elsewhere.messages, messageId: elsewhere.message },
    WEBHOOK_DELIVERY: { replayId: elsewhere.call },
  };
  return (kind, field) => names[kind]?.[field];
}
