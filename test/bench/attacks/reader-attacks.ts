// Attacks of operators who read too much at a time, or nothing of the answers to their requests.

import { tokensOf, type Attack, type Target } from './attack.js';
import { graphql, keepCalling, send } from './attack-calls.js';
import { headOf, holdConnections } from './held-connections.js';

const unreadCount = 120;
const searchRequests = 12;
const searchesPerRequest = 8;
const exportCount = 24;

/** 7.7 MB, which every version answers in full. */
export const largeAnswer = '{ leads(first: 150, filter: {sources: ["large"]}) { edges { node { customFields } } } }';

const unreadAnswers: Attack = {
  name: `${unreadCount} answers of 7.7 MB that are never read`,
  prepare: async (target, note) => {
    const tokens = tokensOf(target);
    const write = (number: number) => {
      const { path, headers = {}, body = '' } = graphql(tokens[number % tokens.length] ?? '', largeAnswer);
      return headOf('POST', path, { ...headers, 'content-length': Buffer.byteLength(body) }) + String(body);
    };
    return (signal) => holdConnections(target, { count: unreadCount, signal, note, write });
  },
};

const textSearches: Attack = {
  name: `${searchRequests} requests with ${searchesPerRequest} text searches each`,
  prepare: async (target, note) => {
    const tokens = tokensOf(target);
    const fields = Array.from(
      { length: searchesPerRequest },
      (_, index) => `s${index}: allMessages(first: 1, filter: {text: "nobody wrote ${index}"}) { edges { cursor } }`,
    );
    const query = `{ ${fields.join(' ')} }`;
    return (signal) =>
      keepCalling({ concurrency: searchRequests, signal, note }, (number) =>
        send(target, graphql(tokens[number % tokens.length] ?? '', `${query} # ${number}`), signal),
      );
  },
};

const exportPath = '/messages/export.csv';

const exportHeaders = (target: Target, number: number) => {
  const tokens = tokensOf(target);
  return { authorization: `Bearer ${tokens[number % tokens.length]}` };
};

const exports: Attack = {
  name: `${exportCount} exports of 300,000 messages`,
  prepare: async (target, note) => (signal) =>
    keepCalling({ concurrency: exportCount, signal, note }, (number) =>
      send(target, { method: 'GET', path: exportPath, headers: exportHeaders(target, number) }, signal),
    ),
};

const unreadExports: Attack = {
  name: `${exportCount} exports that are never read`,
  prepare: async (target, note) => {
    const write = (number: number) => headOf('GET', exportPath, exportHeaders(target, number));
    return (signal) => holdConnections(target, { count: exportCount, signal, note, write });
  },
};

export const readerAttacks: readonly Attack[] = [unreadAnswers, textSearches, exports, unreadExports];
