// Recorded calls of WAHA with anything in place of some of their values: none of them may throw.

import { readFileSync, readdirSync } from 'node:fs';
import fc from 'fast-check';
import { isWaha, readWaha } from '../../../src/providers/waha/reported-call.js';

const folder = new URL('../payloads/waha/', import.meta.url);

export function describeMadeUpWahaCalls(count = 2_000): void {
  test(`${count} made-up calls are read without a fault, whatever stands in them`, () => {
    const strange = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('1@g.us', '1@lid', '12025550143@c.us', 'false_1@c.us_A', '__proto__', 'x'.repeat(65_537)),
    );
    const bodies = readdirSync(folder).map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
    const placesIn = (value: unknown, places: [Record<string, unknown>, string][] = []) => {
      if (typeof value !== 'object' || value === null) return places;
      for (const [name, inner] of Object.entries(value)) {
        places.push([value as Record<string, unknown>, name]);
        placesIn(inner, places);
      }
      return places;
    };
    const damaged = fc
      .tuple(fc.constantFrom(...bodies), fc.array(fc.tuple(fc.nat(), strange), { minLength: 1, maxLength: 3 }))
      .map(([body, changes]) => {
        const copy = structuredClone(body);
        for (const [at, value] of changes) {
          const places = placesIn(copy);
          const [holder, name] = places[at % places.length]!;
          Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
        }
        return copy as unknown;
      });
    fc.assert(
      fc.property(damaged, (body) => {
        if (!isWaha(body)) return;
        const { reports } = readWaha(body);
        expect(reports).toHaveLength(1);
        const [report] = reports;
        if (report !== undefined && 'errors' in report) expect(report.errors.length).toBeGreaterThan(0);
        else if (report?.item.kind === 'message') expect(report.item.contact.length).toBeGreaterThan(0);
      }),
      { numRuns: count, seed: 20_261_123 },
    );
  });
}
