// Executes equal queries once, as dozens of inboxes send them when they reload. Equal ones arrive in one turn of the event loop, with the
// same text and variables, from users of one tenant and role. The execution starts after all of them have arrived. So each caller sees
// everything that was written before its request.

import { LRUCache } from 'lru-cache';
import type { UserPrincipal } from '../../platform/principal.js';

export interface Question {
  viewer: UserPrincipal;
  /** Whatever decides the answer beside the viewer. */
  text: string;
}

/** Executes for one viewer. */
export type Work<Answer> = (viewer: UserPrincipal) => Promise<Answer>;

export interface SharedAnswersOptions<Answer> {
  /** Whether others may be given it; where not, each of them is executed by itself. */
  isShareable: (answer: Answer) => boolean;
}

interface Gathering<Answer> {
  /** Undefined where it is of use to the first asker alone. */
  forOthers: Promise<Answer | undefined>;
  hasOthers: boolean;
}

const maxPersonalQuestions = 1_000;

export class SharedAnswers<Answer extends object> {
  private readonly gatherings = new Map<string, Gathering<Answer>>();
  /** Questions whose answer depends on who asks. */
  private readonly personal = new LRUCache<string, true>({ max: maxPersonalQuestions });

  constructor(private readonly options: SharedAnswersOptions<Answer>) {}

  /** Runs `work` once for questions that are alike and come in one turn. */
  async answer({ viewer, text }: Question, work: Work<Answer>): Promise<Answer> {
    const key = JSON.stringify([...viewerClassOf(viewer), text]);
    if (this.personal.has(key)) return work(viewer);
    const gathering = this.gatherings.get(key);
    if (gathering === undefined) return this.lead(key, viewer, work);
    gathering.hasOthers = true;
    return (await gathering.forOthers) ?? work(viewer);
  }

  private async lead(key: string, viewer: UserPrincipal, work: Work<Answer>): Promise<Answer> {
    const others = Promise.withResolvers<Answer | undefined>();
    const gathering: Gathering<Answer> = { forOthers: others.promise, hasOthers: false };
    this.gatherings.set(key, gathering);
    await endOfTurn();
    this.gatherings.delete(key);
    if (!gathering.hasOthers) return work(viewer);
    try {
      const watched = new WatchedViewer(viewer);
      const answer = await work(watched.principal);
      if (watched.isPersonal) this.personal.set(key, true);
      others.resolve(watched.isPersonal || !this.options.isShareable(answer) ? undefined : answer);
      return answer;
    } finally {
      // What failed for the first is tried by each of the others.
      others.resolve(undefined);
    }
  }
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

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
