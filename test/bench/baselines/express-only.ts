// Baseline: the most that Express can answer when it reads and writes JSON and stores nothing.

import express from 'express';
import { announcePort, type ReportedMessage } from './intake-store.js';

const app = express().disable('x-powered-by').disable('etag').use(express.json());

app.post('/webhooks/chat/gateway/inbound', (req, res) => {
  const { messageId } = req.body as ReportedMessage;
  res.json({ accepted: 1, results: [{ messageId, duplicate: false }] });
});

const server = app.listen(0, '127.0.0.1', () => announcePort(server.address()));
