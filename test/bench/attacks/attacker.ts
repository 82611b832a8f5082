// The attacker as a process of its own: `ATTACK` names the attack, and `TARGET` (JSON) its target. It says `ready`, begins on a message,
// and ends with the process that started it. It runs at a low priority, because real attackers have processors of their own.

import { setPriority } from 'node:os';
import { attacks } from './all-attacks.js';
import type { Target } from './attack.js';

const priority = 10;

const attack = attacks.find(({ name }) => name === process.env['ATTACK']);
if (attack === undefined || process.send === undefined) throw new Error('There is no such attack, or nobody to tell.');
setPriority(priority);
const outcomes: Record<string, number> = {};
const note = (outcome: string) => (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1);
const stop = new AbortController();
process.on('disconnect', () => process.exit());
const run = await attack.prepare(JSON.parse(process.env['TARGET'] ?? '') as Target, note);
process.on('message', (message) => {
  if (message === 'begin') void run(stop.signal).catch(() => undefined);
  else process.send?.(outcomes, () => process.exit());
});
process.send('ready');
