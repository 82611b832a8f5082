// Writes messages with times in the past, for demo data, with their timelines, reactions and changes. No API calls it, and it writes no
// events.

import { recordIdAt } from '../../../platform/database/record-id.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { positionAt } from '../../leads/conversation/position.js';
import type { LeadService } from '../../leads/lead.service.js';
import { insertChanges, newChangeColumns } from '../changes/change.sql.js';
import type { OnFiles } from '../reported-message.service.js';
import {
  insertDemoMessages,
  insertPastReactions,
  insertPastTransitions,
  demoMessageColumns,
  pastReactionColumns,
  pastTransitionColumns,
  type IdentifiedMessage,
  type DemoMessage,
} from './demo-message.sql.js';

export class DemoMessageService {
  constructor(
    private readonly leads: LeadService,
    private readonly onFiles: OnFiles,
  ) {}

  /**
   * Writes messages of known leads, in a fixed number of statements, and has their files fetched. Their leads get the state that the
   * messages would have given them in their order. Not safe to repeat.
   */
  async write(tx: Transaction, messages: readonly DemoMessage[]): Promise<void> {
    const written = messages.map((message) => ({
      ...message,
      id: recordIdAt(message.writtenAt),
      position: String(positionAt(message.writtenAt)),
    }));
    await tx.query(insertDemoMessages, [tx.tenantId, ...demoMessageColumns.valuesOf(written)]);
    await this.writeTimelines(tx, written);
    await this.noteFiles(tx, written);
    const recorded = written.map(({ id, leadId, position, direction }) => ({
      leadId,
      messageId: id,
      position,
      unread: direction === 'INBOUND',
      isPast: true,
    }));
    await this.leads.recordMessages(tx, recorded);
    // The times are restored, because messages of the last minutes would otherwise wait from now on.
    await this.leads.restoreAnswers(tx, recorded);
  }

  private async writeTimelines(tx: Transaction, messages: readonly IdentifiedMessage[]): Promise<void> {
    const transitions = messages.flatMap(({ id: messageId, statuses }) =>
      statuses.map((status, index) => ({ ...status, messageId, from: statuses[index - 1]?.status ?? null })),
    );
    const reactions = messages.flatMap(({ id: messageId, reactions: own }) =>
      own.map((reaction) => ({ ...reaction, messageId })),
    );
    const changes = messages.flatMap(({ id: messageId, change }) =>
      change === null ? [] : [{ messageId, ...change, occurredAt: change.at }],
    );
    if (transitions.length > 0)
      await tx.query(insertPastTransitions, [tx.tenantId, ...pastTransitionColumns.valuesOf(transitions)]);
    if (reactions.length > 0)
      await tx.query(insertPastReactions, [tx.tenantId, ...pastReactionColumns.valuesOf(reactions)]);
    if (changes.length > 0) await tx.query(insertChanges, [tx.tenantId, ...newChangeColumns.valuesOf(changes)]);
  }

  private async noteFiles(tx: Transaction, messages: readonly IdentifiedMessage[]): Promise<void> {
    const withFiles = messages.flatMap(({ media, id, ...message }) =>
      media === null
        ? []
        : [{ id, leadId: message.leadId, instanceId: message.instanceId, message: { ...reported(message), media } }],
    );
    if (withFiles.length > 0) await this.onFiles(tx, withFiles);
  }
}

// The noting of files needs only these fields of a reported message.
function reported({ direction, type, externalId }: Omit<DemoMessage, 'media'>) {
  const contact = [{ kind: 'PHONE', value: '' }] as const;
  return { kind: 'message', direction, type, externalId: externalId ?? '', contact } as const;
}
