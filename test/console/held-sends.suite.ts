// Held messages: each leaves once and in order, can be taken back, and outlives its page.

import { HeldSends, type Failure, type HeldSend } from '../../src/console/live/held-sends.js';
import type { SendMessageInput } from '../../src/console/api/operations.js';

class Refusal extends Error {
  constructor(readonly failure: Failure) {
    super(failure.code);
  }
}

const offline: Failure = { code: 'NETWORK', message: 'out', isTemporary: true };
const unseen: Failure = { code: 'CONFLICT', message: 'newer', isTemporary: false, unseen: 2 };

/** A server that gives one message for each key, and refuses a send that is not bound to its newest message. */
class Server {
  readonly sent: { key: string; body: string; expected: string | undefined }[] = [];
  newest: string | undefined = 'm0';
  failure: Failure | undefined;
  /** The call arrives, but its answer is lost. */
  losesAnswer = false;

  readonly send = async (input: SendMessageInput): Promise<{ id: string }> => {
    if (this.failure !== undefined) throw new Refusal(this.failure);
    const { idempotencyKey: key, expectedLastMessageId: expected, body } = input;
    const known = this.sent.findIndex((one) => one.key === key);
    if (known >= 0) return { id: `m${known + 1}` };
    if (expected != null && expected !== this.newest) throw new Refusal(unseen);
    this.sent.push({ key: String(key), body: String(body), expected: expected ?? undefined });
    this.newest = `m${this.sent.length}`;
    if (this.losesAnswer) throw new Refusal(offline);
    return { id: this.newest };
  };

  get bodies(): string[] {
    return this.sent.map(({ body }) => body);
  }
}

class Page {
  now = 1_000_000;
  readonly shown: string[] = [];
  readonly reopened: string[] = [];
  readonly held: HeldSends<string, { id: string }>;

  constructor(
    readonly server: Server,
    /** The held sends that the browser keeps. */
    readonly kept = new Map<string, HeldSend<string>>(),
    owner = 'page 1',
  ) {
    let keys = 0;
    this.held = new HeldSends<string, { id: string }>({
      owner,
      holdMs: 5_000,
      staleMs: 600_000,
      now: () => this.now,
      newKey: () => `${owner} key ${(keys += 1)}`,
      send: server.send,
      explain: (error) => (error as Refusal).failure,
      save: (send) => this.kept.set(send.key, structuredClone(send)),
      remove: (gone) => gone.forEach((key) => this.kept.delete(key)),
      onSent: (_leadId, { id }) => this.shown.push(id),
      onRefusedClosing: (leadId) => this.reopened.push(leadId),
    });
  }

  hold(...bodies: string[]): string {
    const parts = bodies.map((body) => ({ input: { leadId: 'lead', body }, draft: `draft of ${body}` }));
    this.held.hold('lead', parts, this.server.newest);
    return this.held.list.value.at(-bodies.length)?.key ?? '';
  }

  async pass(ms: number): Promise<void> {
    this.now += ms;
    await this.held.sendDue();
  }

  get states(): string[] {
    return this.held.list.value.map(({ state, failure }) => failure?.code ?? state);
  }
}

/** Opens another page after the first one has ended. */
function nextPage(page: Page, left: readonly string[] = [], later = 0): Page {
  const next = new Page(page.server, page.kept, 'page 2');
  next.now = page.now + later;
  next.held.restore([...page.kept.values()], new Set(left));
  return next;
}

export function describeHeldSends() {
  it('leaves after 5 s, once, bound to what was shown, and is kept until then', async () => {
    const page = new Page(new Server());
    page.hold('a');
    expect(page.held.nextDueAt).toBe(page.now + 5_000);
    await page.pass(4_999);
    expect(page.server.sent).toEqual([]);
    expect(page.kept.size).toBe(1);
    await page.pass(1);
    await page.pass(10_000);
    expect(page.server.sent).toMatchObject([{ body: 'a', expected: 'm0' }]);
    expect(page.kept.size).toBe(0);
    expect(page.shown).toEqual(['m1']);
    expect(page.held.nextDueAt).toBeUndefined();
  });

  it('is kept for nobody where it fails after its user has left', async () => {
    const page = new Page(new Server());
    page.hold('a');
    page.server.failure = offline;
    const sending = page.pass(5_000);
    page.held.list.set([]);
    page.kept.clear();
    await sending;
    expect(page.kept.size).toBe(0);
  });

  it('is not sent twice by looking twice at once', async () => {
    const page = new Page(new Server());
    page.hold('a');
    page.now += 5_000;
    await Promise.all([page.held.sendDue(), page.held.sendDue()]);
    expect(page.server.bodies).toEqual(['a']);
  });

  it('is taken back with its draft, and leaves nothing behind', async () => {
    const page = new Page(new Server());
    const key = page.hold('a');
    expect(page.held.undo(key)).toEqual({ leadId: 'lead', drafts: ['draft of a'], closes: false });
    expect(page.held.undo(key)).toBeUndefined();
    await page.pass(10_000);
    expect(page.server.sent).toEqual([]);
    expect(page.kept.size).toBe(0);
  });

  it('opens the conversation again that was closed with it, once it is taken back or refused', async () => {
    const page = new Page(new Server());
    const close = (body: string) =>
      page.held.hold('lead', [{ input: { leadId: 'lead', body }, draft: body }], page.server.newest, true);
    expect(page.held.undo(close('a'))).toEqual({ leadId: 'lead', drafts: ['a'], closes: true });
    page.server.failure = offline;
    const key = close('b');
    await page.pass(5_000);
    expect(page.reopened).toEqual([]);
    page.server.failure = unseen;
    await page.held.retry(key);
    expect(page.reopened).toEqual(['lead']);
    await page.held.retry(key);
    expect(page.reopened).toEqual(['lead']);
    page.server.failure = undefined;
    close('c');
    await page.pass(5_000);
    expect(page.server.bodies).toEqual(['c']);
    expect(page.reopened).toEqual(['lead']);
  });

  it('cannot be taken back once it is being sent', async () => {
    const page = new Page(new Server());
    const key = page.hold('a');
    page.now += 5_000;
    const sending = page.held.sendDue();
    expect(page.held.undo(key)).toBeUndefined();
    expect(page.held.lastHeld).toBeUndefined();
    await sending;
    expect(page.server.bodies).toEqual(['a']);
  });

  it('sends several in order, each bound to the one before', async () => {
    const page = new Page(new Server());
    page.hold('a');
    page.now += 1_000;
    page.hold('b', 'c');
    await page.pass(10_000);
    expect(page.server.sent).toMatchObject([
      { body: 'a', expected: 'm0' },
      { body: 'b', expected: 'm1' },
      { body: 'c', expected: 'm2' },
    ]);
  });

  it('takes back all that was sent together, and keeps the order of the rest', async () => {
    const page = new Page(new Server());
    page.hold('a');
    const key = page.hold('b', 'c');
    page.hold('d');
    expect(page.held.undo(key)?.drafts).toEqual(['draft of b', 'draft of c']);
    await page.pass(5_000);
    expect(page.server.sent).toMatchObject([
      { body: 'a', expected: 'm0' },
      { body: 'd', expected: 'm1' },
    ]);
  });

  it('says which messages came meanwhile, and sends past them when asked to', async () => {
    const page = new Page(new Server());
    const key = page.hold('a');
    page.hold('b');
    page.server.newest = 'inbound';
    await page.pass(5_000);
    expect(page.states).toEqual(['CONFLICT', 'held']);
    expect(page.held.list.value[0]?.failure?.unseen).toBe(2);
    await page.held.retryTemporary();
    expect(page.server.sent).toEqual([]);
    await page.held.retry(key, 'inbound');
    expect(page.server.sent).toMatchObject([
      { body: 'a', expected: 'inbound' },
      { body: 'b', expected: 'm1' },
    ]);
  });

  it('gives the text of a refused one back, or gives it up', async () => {
    const page = new Page(new Server());
    page.server.failure = { code: 'OPTED_OUT', message: 'out', isTemporary: false };
    const [a, b] = [page.hold('a'), 'b'];
    await page.pass(5_000);
    expect(page.held.undo(a)?.drafts).toEqual(['draft of a']);
    const key = page.hold(b);
    await page.pass(5_000);
    page.held.discard(key);
    expect(page.states).toEqual([]);
    expect(page.kept.size).toBe(0);
  });

  it('does not wait behind one that was refused', async () => {
    const page = new Page(new Server());
    page.server.failure = { code: 'WINDOW_CLOSED', message: 'closed', isTemporary: false };
    page.hold('a');
    await page.pass(5_000);
    page.server.failure = undefined;
    page.hold('b');
    await page.pass(5_000);
    expect(page.server.bodies).toEqual(['b']);
    expect(page.states).toEqual(['WINDOW_CLOSED']);
  });

  it('tries again after the network was away, also where the answer alone was lost', async () => {
    const page = new Page(new Server());
    page.hold('a');
    page.server.losesAnswer = true;
    await page.pass(5_000);
    expect(page.states).toEqual(['NETWORK']);
    page.server.losesAnswer = false;
    await page.held.retryTemporary();
    expect(page.server.bodies).toEqual(['a']);
    expect(page.states).toEqual([]);
    expect(page.shown).toEqual(['m1']);
  });

  it('outlives a page that was killed: it is held for the time that it had left', async () => {
    const page = new Page(new Server());
    page.hold('a', 'b');
    const next = nextPage(page, [], 2_000);
    expect(next.states).toEqual(['held', 'held']);
    await next.pass(2_000);
    expect(next.server.sent).toEqual([]);
    await next.pass(1_000);
    expect(next.server.sent).toMatchObject([
      { body: 'a', expected: 'm0' },
      { body: 'b', expected: 'm1' },
    ]);
    expect(next.kept.size).toBe(0);
  });

  it('can be taken back on the page after', () => {
    const page = new Page(new Server());
    const key = page.hold('a');
    const next = nextPage(page);
    expect(next.held.undo(key)?.drafts).toEqual(['draft of a']);
    expect(next.kept.size).toBe(0);
  });

  it('leaves with its page, and is not doubled by the next one', async () => {
    const page = new Page(new Server());
    page.hold('a');
    page.hold('b');
    const chains = page.held.leave();
    expect(chains.map((chain) => chain.map(({ input }) => input.body))).toEqual([['a', 'b']]);
    expect(page.held.undo(chains[0]?.[0]?.key ?? '')).toBeUndefined();
    for (const { key, input } of chains[0] ?? []) await page.server.send({ ...input, idempotencyKey: key });
    const next = nextPage(
      page,
      chains.flat().map(({ key }) => key),
    );
    await next.pass(0);
    expect(next.server.bodies).toEqual(['a', 'b']);
    expect(next.states).toEqual([]);
    expect(next.shown).toEqual(['m1', 'm2']);
    expect(next.kept.size).toBe(0);
  });

  it('is sent by the next page at once where it could not leave with its own', async () => {
    const page = new Page(new Server());
    const key = page.hold('a');
    page.held.leave();
    const next = nextPage(page, [key]);
    await next.pass(0);
    expect(next.server.bodies).toEqual(['a']);
  });

  it('goes on where its page was shown again', async () => {
    const page = new Page(new Server());
    page.hold('a', 'b');
    const keys = page.held
      .leave()
      .flat()
      .map(({ key }) => key);
    await page.held.comeBack(keys);
    expect(page.server.bodies).toEqual(['a', 'b']);
    expect(page.states).toEqual([]);
  });

  it('does not send an old one by itself, and knows whether it had left', async () => {
    const page = new Page(new Server());
    const key = page.hold('a');
    const late = nextPage(page, [], 3_600_000);
    await late.pass(0);
    expect(late.server.sent).toEqual([]);
    expect(late.states).toEqual(['STALE']);
    await late.held.retry(key);
    expect(late.server.bodies).toEqual(['a']);

    const other = new Page(new Server());
    other.hold('b');
    const [one] = other.held.leave().flat();
    await other.server.send({ ...one!.input, idempotencyKey: one!.key });
    const later = nextPage(other, [], 3_600_000);
    await later.pass(0);
    expect(later.states).toEqual([]);
    expect(later.server.bodies).toEqual(['b']);
  });

  it('keeps a refusal over a reload, and takes over nothing twice', async () => {
    const page = new Page(new Server());
    page.hold('a');
    page.server.newest = 'inbound';
    await page.pass(5_000);
    const next = nextPage(page);
    next.held.restore([...page.kept.values()], new Set());
    await next.pass(10_000);
    expect(next.states).toEqual(['CONFLICT']);
    expect(next.server.sent).toEqual([]);
  });
}
