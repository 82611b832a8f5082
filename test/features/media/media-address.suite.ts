import { randomBytes } from 'node:crypto';
import { MediaAddresses } from '../../../src/features/media/media-address.js';
import { jest } from '../../support/jest.js';
import { firstIdAt, newRecordId } from '../../../src/platform/database/record-id.js';

const tenantId = newRecordId();
const hourMs = 3_600_000;

export function describeMediaAddress(): void {
  const addresses = new MediaAddresses({ secrets: [randomBytes(32)], publicUrl: 'https://leads.example' });
  const made = new Date('2026-11-28T23:58:30.250Z');
  const id = firstIdAt(made);

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** The address for a gateway, some hours after the message was written. */
  const gatewayAddress = (hoursLater: number) => {
    jest.setSystemTime(made.getTime() + hoursLater * hourMs);
    return addresses.forGateway(tenantId, id) ?? '';
  };
  const verify = (address: string) => addresses.verify(id, Object.fromEntries(new URL(address).searchParams));

  test('a send that is repeated within 23 hours, across midnight too, names the same address', () => {
    const first = gatewayAddress(0);
    for (const hoursLater of [-0.01, 0.01, 0.1, 5, 22.9]) expect(gatewayAddress(hoursLater)).toBe(first);
    expect(gatewayAddress(23.1)).not.toBe(first);
  });

  test.each([0, 22.9, 23.1, 800])(
    '%d hours after the message was written it is valid for a day, and for two at most',
    (hoursLater) => {
      const address = gatewayAddress(hoursLater);
      for (const [later, outcome] of [
        [0, 'valid'],
        [24, 'valid'],
        [49, 'expired'],
      ] as const) {
        jest.setSystemTime(made.getTime() + (hoursLater + later) * hourMs);
        expect(verify(address).outcome).toBe(outcome);
      }
    },
  );

  test('an address for clients stays the same for up to five minutes, and is valid for an hour', () => {
    jest.setSystemTime(Date.parse('2026-11-28T12:00:01Z'));
    const address = addresses.of(tenantId, id);
    jest.setSystemTime(Date.parse('2026-11-28T12:04:59Z'));
    expect(addresses.of(tenantId, id)).toBe(address);
    jest.setSystemTime(Date.parse('2026-11-28T13:00:00Z'));
    expect(verify(address).outcome).toBe('valid');
    jest.setSystemTime(Date.parse('2026-11-28T13:05:01Z'));
    expect(verify(address).outcome).toBe('expired');
    expect(addresses.of(tenantId, id)).not.toBe(address);
  });
}
