// Previews the sending of a message: runs the statements and checks of send.service.ts in a transaction that is rolled back.

import type { Database } from '../../platform/database/database.js';
import { inDryRun } from '../../platform/database/dry-run.js';
import { requireUser, type Principal, type UserPrincipal } from '../../platform/principal.js';
import type { MediaOrigin } from '../media/media.service.js';
import type { SendMessageInput } from '../messages/message.schema.js';
import type { MessageRow } from '../messages/message.service.js';
import type { QueuePosition, QueuePositionService } from './queue-position.service.js';
import type { MessageSendService, PreparedSend } from './send.service.js';

export interface SendPreviewOptions {
  database: Database;
  messageSend: MessageSendService;
  queuePositions: QueuePositionService;
}

/** The message that a call would queue, or the one that it would give back. */
export interface SendPreviewRecord extends Pick<MessageRow, 'leadId' | 'instanceId' | 'type' | 'body'> {
  /** The message that was sent under the call's idempotency key before: nothing new would be sent. */
  repeated: MessageRow | null;
  /** Its place in the queue; null where it would not wait, as a repeated message that has left. */
  place: QueuePosition | null;
  /** The text below the file, where the call gives one. */
  caption: string | null;
  /** The uploads that would be sent, the first one with the text where networks show it there. */
  fileIds: string[];
}

export class SendPreviewService {
  constructor(private readonly options: SendPreviewOptions) {}

  /**
   * Shows what `MessageSendService.send` would do with this input now. Changes nothing; holds the locks of a send for as long as it takes.
   * @throws AppError as `MessageSendService.send`
   */
  async preview(principal: Principal | undefined, input: SendMessageInput): Promise<SendPreviewRecord> {
    const user = requireUser(principal);
    const prepared = await this.options.messageSend.prepare(user, input);
    if ('repeated' in prepared) return this.ofRepeated(user, prepared.repeated);
    return (await this.dryRun(user, prepared)) ?? this.ofRepeated(user, await this.getRepeated(user, prepared));
  }

  /** Makes a dry run of the send. @returns undefined where a call at the same moment took the idempotency key */
  private dryRun(user: UserPrincipal, prepared: PreparedSend): Promise<SendPreviewRecord | undefined> {
    const { database, messageSend, queuePositions } = this.options;
    return inDryRun(database, user.tenantId, async (tx) => {
      const message = await messageSend.compose(tx, user, prepared);
      const admitted = await messageSend.admit(tx, message, prepared.wanted.expectedLastMessageId);
      if (admitted === undefined) return undefined;
      const following = messageSend.composeFollowing(message, prepared);
      for (const next of following) await messageSend.admit(tx, next, null);
      const [place = null] = await queuePositions.listIn(tx, tx.tenantId, [message.id]);
      const { leadId, instanceId, type, body, media } = message;
      const fileIds = [message, ...following].flatMap((sent) => sent.media?.id ?? []);
      return { leadId, instanceId, type, body, caption: media?.caption ?? null, fileIds, repeated: null, place };
    });
  }

  private getRepeated(user: UserPrincipal, prepared: PreparedSend): Promise<MessageRow> {
    return this.options.messageSend.getRepeated(user, prepared);
  }

  private async ofRepeated(user: UserPrincipal, repeated: MessageRow): Promise<SendPreviewRecord> {
    const [place = null] = await this.options.queuePositions.list(user, [repeated.id]);
    const { leadId, instanceId, type, body } = repeated;
    const { caption = null } = (repeated.media ?? {}) as MediaOrigin;
    return { leadId, instanceId, type, body, caption, fileIds: [], repeated, place };
  }
}
