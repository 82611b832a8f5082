// Baseline: Express and one statement for each request.

import express from 'express';
import { IntakeStore, announcePort, requireDatabaseUrl, type ReportedMessage } from './intake-store.js';

const store = new IntakeStore(requireDatabaseUrl());
const app = express().disable('x-powered-by').disable('etag').use(express.json());

app.post('/webhooks/chat/gateway/inbound', async (req, res) => {
  const answer = await store.storeMessage(req.get('x-tenant-key') ?? '', req.body as ReportedMessage);
  if (answer === undefined) res.status(401).end();
  else res.json(answer);
});

const server = app.listen(0, '127.0.0.1', () => announcePort(server.address()));
