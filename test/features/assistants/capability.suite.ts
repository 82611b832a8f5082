// Handles and capabilities by themselves: for whom they open, how long, and that no change of one bit passes.

import { randomBytes, randomUUID } from 'node:crypto';
import {
  Capabilities,
  handleLifeMs,
  maxCapabilityLength,
  replyLifeMs,
} from '../../../src/features/assistants/capability.js';

export function describeCapabilities(): void {
  const secret = randomBytes(32);
  const holder = { tenantId: randomUUID(), userId: randomUUID() };
  const permit = { leadId: randomUUID(), instanceId: randomUUID(), lastMessageId: randomUUID() };
  let nowMs = Date.UTC(2026, 10, 23);
  const capabilities = new Capabilities([secret], () => nowMs);

  test('a capability opens for its holder, with what it was made of', () => {
    const { capability, expiresAt } = capabilities.permit(holder, permit);
    expect(capability.length).toBeLessThanOrEqual(maxCapabilityLength);
    expect(capabilities.openPermit(holder, capability)).toMatchObject({ outcome: 'valid', content: permit });
    expect(expiresAt.getTime() - nowMs).toBe(replyLifeMs);
  });

  test('not for another user, another tenant, or as the other kind', () => {
    const { capability } = capabilities.permit(holder, permit);
    const handle = capabilities.handleOf(holder, permit.leadId);
    const invalid = { outcome: 'invalid' };
    expect(capabilities.openPermit({ ...holder, userId: randomUUID() }, capability)).toEqual(invalid);
    expect(capabilities.openPermit({ ...holder, tenantId: randomUUID() }, capability)).toEqual(invalid);
    expect(capabilities.openPermit(holder, handle)).toEqual(invalid);
    expect(capabilities.openPermit(holder, handle.replace('conv_', 'reply_'))).toEqual(invalid);
    expect(capabilities.openHandle(holder, capability)).toEqual(invalid);
    expect(new Capabilities([randomBytes(32)]).openPermit(holder, capability)).toEqual(invalid);
  });

  test('the previous key opens what it has signed', () => {
    const { capability } = new Capabilities([secret], () => nowMs).permit(holder, permit);
    const replaced = new Capabilities([randomBytes(32), secret], () => nowMs);
    expect(replaced.openPermit(holder, capability)).toMatchObject({ outcome: 'valid', content: permit });
  });

  test('no change of one bit passes', () => {
    const { capability } = capabilities.permit(holder, permit);
    const bytes = Buffer.from(capability.slice('reply_'.length), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(capabilities.openPermit(holder, `reply_${changed.toString('base64url')}`)).toEqual({ outcome: 'invalid' });
    }
  });

  test('another writing of the same capability has the same key: it is used once', () => {
    const { capability } = capabilities.permit(holder, permit);
    const first = capabilities.openPermit(holder, capability);
    const other = capabilities.openPermit(holder, `${capability}=`);
    expect(other).toEqual(first);
  });

  test('they end', () => {
    const { capability } = capabilities.permit(holder, permit);
    const handle = capabilities.handleOf(holder, permit.leadId);
    nowMs += replyLifeMs;
    expect(capabilities.openPermit(holder, capability)).toMatchObject({ outcome: 'expired' });
    expect(capabilities.openHandle(holder, handle)).toMatchObject({ outcome: 'valid' });
    nowMs += handleLifeMs - replyLifeMs;
    expect(capabilities.openHandle(holder, handle)).toMatchObject({ outcome: 'expired' });
  });
}
