// The frame of a settings page that only administrators see.

import type { ReactNode } from 'react';
import { AdminsOnly } from '../../app/page-fallbacks.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';

/** @param children receives the tenant's id */
export function AdminSection({ children }: { children: (tenantId: string) => ReactNode }) {
  const { user } = useStore(sessionState);
  if (user === undefined) return null;
  return user.role === 'ADMIN' ? children(user.tenantId) : <AdminsOnly />;
}
