import type { BadgeKind } from '../../parts/badge.js';
import type { WebhookOutcome } from './operations.js';

export const outcomeKinds: Record<WebhookOutcome, BadgeKind> = {
  PROCESSED: 'good',
  PARTIAL: 'warning',
  REFUSED: 'danger',
};
