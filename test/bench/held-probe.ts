// Loaded into a server under measurement (`node --import`). A port of its own answers with what the process holds. An answer takes a while,
// and collects garbage.

import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The memory and the objects of a process at one moment. */
export interface Held {
  residentBytes: number;
  /** The heap after a collection. */
  heapBytes: number;
  /** All timers, also those that do not keep the process alive. */
  timers: number;
  connections: number;
  /** Entries of its Maps and Sets with `minEntries` or more, the greatest first, each with a few of its keys. */
  collections: { entries: number; keys: string }[];
}

const minEntries = 500;
const keysLength = 160;
const started = setTimeout(() => undefined, 0);
const Timer = started.constructor as new () => NodeJS.Timeout;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as NodeJS.GCFunction;
setFlagsFromString('--no-expose-gc');

createServer((_request, response) => response.end(JSON.stringify(look())))
  .listen(Number(process.env['HELD_PROBE_PORT']), '127.0.0.1')
  .unref();

function look(): Held {
  // The resident size is read before the collection, which gives pages back.
  const residentBytes = process.memoryUsage.rss();
  collect();
  return {
    residentBytes,
    heapBytes: process.memoryUsage().heapUsed,
    timers: queryObjects(Timer, { format: 'count' }),
    connections: queryObjects(Socket, { format: 'count' }),
    collections: [Map, Set].flatMap(readSizes).toSorted((a, b) => b.entries - a.entries),
  };
}

function readSizes(kind: new () => object): Held['collections'] {
  return queryObjects(kind, { format: 'summary' }).flatMap((text) => {
    const entries = Number(/^(?:Map|Set)\((\d+)\)/.exec(text)?.[1]);
    return entries >= minEntries ? [{ entries, keys: text.slice(0, keysLength) }] : [];
  });
}
