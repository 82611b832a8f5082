// Messages as a CSV file, by the filter of the lists.

import { csvOf, type CsvCell } from '../../platform/input/csv.js';
import { requireUser, type Principal } from '../../platform/principal.js';
import type { ChatInstanceService } from '../chat-instances/chat-instance.service.js';
import type { LeadService } from '../leads/lead.service.js';
import { referralCells, referralColumns } from '../leads/referrals/referral.js';
import type { Referral } from '../../providers/referral.js';
import { readStoredChoice } from './choice.js';
import type { MessageFilterInput } from './message.schema.js';
import { originOf, type ShownMessage, type MessageService, type Reaction } from './message.service.js';

export interface MessageExportOptions {
  messages: MessageService;
  leads: LeadService;
  chatInstances: ChatInstanceService;
  files: FilesOfMessages;
}

/** The part of the files' module that the export needs. */
export interface FilesOfMessages {
  listOfMessages(principal: Principal, messageIds: readonly string[]): Promise<FileOfMessage[]>;
}

interface FileOfMessage {
  id: string;
  state: string;
  mimeType: string | null;
  fileName: string | null;
  size: number | null;
  sha256: string | null;
}

/** The content of `messages.media`: the reported origin of a file. */
interface MediaOrigin {
  url?: string | null;
  caption?: string | null;
  mimeType?: string | null;
  fileName?: string | null;
}

const columns = [
  'id',
  'createdAt',
  'direction',
  'status',
  'leadId',
  'leadName',
  'chat',
  'instance',
  'type',
  'body',
  'mediaUrl',
  'mediaCaption',
  'sentAt',
  'deliveredAt',
  'readAt',
  'failedAt',
  'errorCode',
  'errorMessage',
  'externalId',
  'origin',
  'replyToExternalId',
  'reactions',
  'editedAt',
  'deletedAt',
  'mediaState',
  'mediaType',
  'mediaFileName',
  'mediaSize',
  'mediaSha256',
  'choice',
  'isForwarded',
  'isNotice',
  ...referralColumns,
];

interface Named {
  leads: ReadonlyMap<string, { name: string; chat: string | null }>;
  instances: ReadonlyMap<string, { instanceName: string }>;
  reactions: ReadonlyMap<string, readonly Reaction[]>;
  files: ReadonlyMap<string, FileOfMessage>;
}

export class MessageExportService {
  constructor(private readonly options: MessageExportOptions) {}

  /**
   * Exports all messages of a list as CSV, the newest first, page by page.
   * @throws AppError VALIDATION_FAILED for a wrong filter
   */
  async export(principal: Principal | undefined, filter?: MessageFilterInput | null): Promise<AsyncGenerator<string>> {
    const user = requireUser(principal);
    const source = this.options.messages.sourceOf(user, filter);
    return csvOf(source, columns, async (messages) => {
      const named = await this.nameAll(user, messages);
      // A message whose lead was erased between the two statements is left out, because it is gone as well.
      return messages.filter(({ leadId }) => named.leads.has(leadId)).map((message) => cellsOf(message, named));
    });
  }

  private async nameAll(principal: Principal, messages: readonly ShownMessage[]): Promise<Named> {
    const leadIds = new Set(messages.map(({ leadId }) => leadId));
    const instanceIds = new Set(messages.map(({ instanceId }) => instanceId));
    const leads = await this.options.leads.listByIds(principal, [...leadIds]);
    const instances = await this.options.chatInstances.listByIds(principal, [...instanceIds]);
    const ids = messages.map(({ id }) => id);
    const reactions = await this.options.messages.listReactions(principal, ids);
    const withFiles = messages.filter(({ media }) => media !== null).map(({ id }) => id);
    const files = withFiles.length === 0 ? [] : await this.options.files.listOfMessages(principal, withFiles);
    return {
      files: new Map(files.map((file) => [file.id, file])),
      leads: new Map(leads.map((lead) => [lead.id, lead])),
      instances: new Map(instances.map((instance) => [instance.id, instance])),
      reactions: Map.groupBy(reactions, ({ messageId }) => messageId),
    };
  }
}

function cellsOf(message: ShownMessage, { leads, instances, reactions, files }: Named): CsvCell[] {
  const lead = leads.get(message.leadId);
  const media = message.media as MediaOrigin | null;
  const { id, createdAt, direction, status, leadId, type, body } = message;
  const { sentAt, deliveredAt, readAt, failedAt, errorCode, errorMessage, externalId } = message;
  const { replyToExternalId, editedAt, deletedAt } = message;
  const choice = readStoredChoice(message.choice);
  const instanceName = instances.get(message.instanceId)?.instanceName ?? null;
  return [
    id,
    createdAt,
    direction,
    status,
    leadId,
    lead?.name ?? null,
    lead?.chat ?? null,
    instanceName,
    type,
    body,
    media?.url ?? null,
    media?.caption ?? null,
    sentAt,
    deliveredAt,
    readAt,
    failedAt,
    errorCode,
    errorMessage,
    externalId,
    originOf(message),
    replyToExternalId,
    wordsOf(reactions.get(id) ?? []),
    editedAt,
    deletedAt,
    ...cellsOfFile(media, files.get(message.id)),
    choice === null ? null : JSON.stringify(choice),
    String(message.isForwarded),
    String(message.isNotice),
    ...referralCells(message.referral as unknown as Referral | null),
  ];
}

/** Returns text like `👍 (lead) ❤️ (us)`; null if there are no reactions. */
function wordsOf(reactions: readonly Reaction[]): string | null {
  if (reactions.length === 0) return null;
  return reactions.map(({ emoji, fromLead }) => `${emoji} (${fromLead ? 'lead' : 'us'})`).join(' ');
}

function cellsOfFile(media: MediaOrigin | null, file: FileOfMessage | undefined): CsvCell[] {
  if (file === undefined) return [null, media?.mimeType ?? null, media?.fileName ?? null, null, null];
  return [file.state, file.mimeType, file.fileName, file.size, file.sha256];
}
