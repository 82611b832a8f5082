// Decides who sees and uses a template. A SHARED one belongs to every user of the tenant, a PERSONAL one to its author. An ADMIN sees,
// changes, shares and deletes PERSONAL templates of others, for example of people who have left, but does not send them.

import { AppError, invalidField, notFound } from '../../platform/errors.js';
import type { Principal, UserPrincipal } from '../../platform/principal.js';
import type { TemplateVisibility } from './template.schema.js';

interface Owned {
  visibility: TemplateVisibility;
  authorId: string | null;
}

/**
 * True if the template may be read and changed. A worker sees all templates of its tenant. Operators who share a subscription see no
 * PERSONAL one there: what one of them may see, the others hear too.
 */
export function seesTemplate(principal: Principal, { visibility, authorId }: Owned): boolean {
  if (visibility === 'SHARED' || principal.kind === 'system') return true;
  if (principal.kind !== 'user') return false;
  return principal.role === 'ADMIN' || (principal.isAudience !== true && principal.userId === authorId);
}

/**
 * @throws AppError NOT_FOUND for a template that the caller does not see; VALIDATION_FAILED if an ADMIN would send another's PERSONAL one
 */
export function requireUsable(principal: Principal, template: Owned): void {
  if (!seesTemplate(principal, template)) throw notFound('template');
  const { visibility, authorId } = template;
  if (visibility === 'SHARED' || principal.kind !== 'user' || principal.userId === authorId) return;
  throw invalidField('templateId', 'is personal, and only its author sends it: share it first');
}

/** @throws AppError FORBIDDEN if the change would make a template PERSONAL that is not the caller's own */
export function requireOwnToHide({ userId }: UserPrincipal, before: Owned, after: Owned): void {
  if (after.visibility === before.visibility || after.visibility === 'SHARED' || before.authorId === userId) return;
  throw new AppError('FORBIDDEN', 'visibility: only its author makes a template personal', {
    errors: [{ path: 'visibility', message: 'only its author makes a template personal' }],
  });
}
