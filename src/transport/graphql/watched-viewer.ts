// Tells whether what was made for one viewer may be shown to another: tenant and role are the same for all who share, whatever else is
// read of a viewer is this viewer's.

import type { UserPrincipal } from '../../platform/principal.js';

/** Viewers with the same key may see the same, as long as nothing personal is read of them. */
export function viewerClassOf({ tenantId, role, isPlatformTenant }: UserPrincipal): readonly unknown[] {
  return [tenantId, role, isPlatformTenant];
}

export class WatchedViewer {
  private hasBeenRead = false;
  /** To be used in place of the user. */
  readonly principal: UserPrincipal;

  constructor(user: UserPrincipal) {
    const { kind, tenantId, role, isPlatformTenant } = user;
    const personal = <Value>(value: Value): Value => {
      this.hasBeenRead = true;
      return value;
    };
    this.principal = {
      kind,
      tenantId,
      role,
      isPlatformTenant,
      get userId() {
        return personal(user.userId);
      },
      get accountId() {
        return personal(user.accountId);
      },
      get email() {
        return personal(user.email);
      },
    };
  }

  /** Whether anything personal has been read: what was made is of no use to others. */
  get isPersonal(): boolean {
    return this.hasBeenRead;
  }
}
