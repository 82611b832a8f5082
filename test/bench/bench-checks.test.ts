// The checks that a bench relies on fail where a side does less than it says.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { confirmStored, type Counts } from './loaded-server.js';
import { confirmSameAnswers, contentOf } from './same-answers.js';

describe('what a side stores', () => {
  /** A side that acknowledges 3 calls, and stores `rows` of each kind meanwhile. */
  const confirm = async (rows: Counts) => {
    let isDone = false;
    const server = {
      name: 'a side',
      load: {
        get answeredCount() {
          return isDone ? 13 : 10;
        },
      },
      countStored: () =>
        Promise.resolve(
          Object.fromEntries(Object.entries(rows).map(([kind, count]) => [kind, isDone ? 40 + count : 40])),
        ),
    };
    return confirmStored([server], () => {
      isDone = true;
      return Promise.resolve('measured');
    });
  };

  test('is what it acknowledged, of every kind', async () => {
    await expect(confirm({ messages: 3, events: 3 })).resolves.toBe('measured');
  });

  test.each([
    [{ messages: 3, events: 2 }, 'a side acknowledged 3 calls and stored 2 (events).'],
    [{ messages: 4, events: 3 }, 'a side acknowledged 3 calls and stored 4 (messages).'],
  ])('%j is not', async (rows, message) => {
    await expect(confirm(rows)).rejects.toThrow(message);
  });
});

describe('what sides answer', () => {
  const first = { id: '01a207ec-ad90-742d-b52e-cb6f82a7bc34', at: '2026-11-23T10:23:41.769Z', list: [1, null] };
  const other = { id: '01a207ec-ae10-7797-8bfe-1d7a768c3da3', at: '2026-11-23T10:23:42+00:00', list: [1, null] };

  test('ids and times stand for any other', () => {
    expect(contentOf(first)).toEqual({ id: 'an id', at: 'a time', list: [1, null] });
    expect(contentOf(other)).toEqual(contentOf(first));
    expect(contentOf({ ...other, id: null })).not.toEqual(contentOf(first));
  });

  /** Two servers, each with its status and its answer. */
  const compare = async (...given: readonly [number, unknown][]) => {
    await using resources = new AsyncDisposableStack();
    const call = { headers: {}, body: '{}' };
    const asked = [];
    for (const [index, [status, body]] of given.entries()) {
      const server = createServer((_req, res) => res.writeHead(status).end(JSON.stringify(body)));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      resources.defer(() => {
        server.closeAllConnections();
        server.close();
      });
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      asked.push({ name: `side ${index + 1}`, url, calls: [call, call] });
    }
    await confirmSameAnswers('/', asked);
  };

  test('the same content passes', async () => {
    await expect(compare([200, first], [200, other])).resolves.toBeUndefined();
  });

  test.each([
    ['another field', [200, { ...other, extra: 1 }]],
    ['another value', [200, { ...other, list: [2, null] }]],
    ['another status', [201, other]],
  ] as [string, [number, unknown]][])('%s fails', async (_difference, answer) => {
    await expect(compare([200, first], answer)).rejects.toThrow('side 2 answers');
  });
});
