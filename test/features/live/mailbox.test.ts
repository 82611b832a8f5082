// What one subscriber has not read yet, and what becomes of one that stalls.

import { Mailbox } from '../../../src/features/live/mailbox.js';

function mailboxOf(capacity: number) {
  const closings: number[] = [];
  const mailbox = new Mailbox<number>(capacity, () => closings.push(closings.length + 1));
  return { mailbox, closings };
}

const item = (value: number) => ({ value, done: false });
const end = { value: undefined, done: true };

test('items come out in the order in which they went in, waited for or not', async () => {
  const { mailbox } = mailboxOf(10);
  mailbox.push(1);
  mailbox.push(2);
  expect([await mailbox.next(), await mailbox.next()]).toEqual([item(1), item(2)]);
  const waiting = mailbox.next();
  mailbox.push(3);
  mailbox.push(4);
  expect([await waiting, await mailbox.next()]).toEqual([item(3), item(4)]);
});

test('return ends a next that waits', async () => {
  const { mailbox, closings } = mailboxOf(10);
  const waiting = mailbox.next();
  expect(await mailbox.return()).toEqual(end);
  expect(await waiting).toEqual(end);
  expect(await mailbox.next()).toEqual(end);
  expect(closings).toEqual([1]);
});

test('return drops what was not read, and what comes later', async () => {
  const { mailbox } = mailboxOf(10);
  mailbox.push(1);
  await mailbox.return();
  mailbox.push(2);
  expect(await mailbox.next()).toEqual(end);
});

test('return is safe to repeat, and closes once', async () => {
  const { mailbox, closings } = mailboxOf(10);
  await Promise.all([mailbox.return(), mailbox.return()]);
  expect(closings).toEqual([1]);
});

test('a for-await loop that breaks off closes the mailbox', async () => {
  const { mailbox, closings } = mailboxOf(10);
  mailbox.push(1);
  mailbox.push(2);
  for await (const value of mailbox) {
    expect(value).toBe(1);
    break;
  }
  expect(closings).toEqual([1]);
});

test('as many items as its capacity wait unharmed', async () => {
  const { mailbox, closings } = mailboxOf(3);
  for (const value of [1, 2, 3]) mailbox.push(value);
  expect(closings).toEqual([]);
  expect([await mailbox.next(), await mailbox.next(), await mailbox.next()]).toEqual([item(1), item(2), item(3)]);
});

test('one more than its capacity closes it: the reader is told once, gets nothing old, and then the end', async () => {
  const { mailbox, closings } = mailboxOf(3);
  for (const value of [1, 2, 3, 4, 5]) mailbox.push(value);
  expect(closings).toEqual([1]);
  await expect(mailbox.next()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(await mailbox.next()).toEqual(end);
});

test('a reader that keeps up is never dropped, however much comes', async () => {
  const { mailbox, closings } = mailboxOf(1);
  for (let value = 0; value < 5_000; value += 1) {
    mailbox.push(value);
    expect(await mailbox.next()).toEqual(item(value));
  }
  expect(closings).toEqual([]);
});
