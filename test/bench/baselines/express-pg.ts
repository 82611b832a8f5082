// Baseline: Express and one statement for each request.

import express from 'express';
import { MessageStore, announcePort, requireDatabaseUrl } from './message-store.js';
import type { ReportedMessage } from './message-store.js';

const store = new MessageStore(requireDatabaseUrl());
const app = express().disable('x-powered-by').disable('etag').use(express.json());

app.post('/webhooks/chat/gateway/inbound', async (req, res) => {
  const answer = await store.store(req.get('x-tenant-key') ?? '', req.body as ReportedMessage);
  if (answer === undefined) res.status(401).end();
  else res.json(answer);
});

const server = app.listen(0, '127.0.0.1', () => announcePort(server.address()));
