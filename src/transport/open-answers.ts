// The answers that are still owed, and how callers leave a process that ends: each answer from then on ends its connection, so that
// nobody sends the next request into one that is being closed.

import type { ServerResponse } from 'node:http';

export class OpenAnswers {
  private readonly answers = new Set<ServerResponse>();
  private areLast = false;

  /** Call before anything of the answer is sent. */
  follow(answer: ServerResponse): void {
    if (this.areLast) answer.setHeader('connection', 'close');
    this.answers.add(answer);
    answer.on('close', () => this.answers.delete(answer));
  }

  /** From now on answers carry `Connection: close`, those of requests under way too where their head has not left. Safe to repeat. */
  endConnections(): void {
    this.areLast = true;
    for (const answer of this.answers) if (!answer.headersSent) answer.setHeader('connection', 'close');
  }
}
