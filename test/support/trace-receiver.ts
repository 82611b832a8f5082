// Receives traces as a collector does (OTLP over HTTP, protobuf), and reads the parts that tests look at.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for a root span. */
  parentSpanId: string;
  name: string;
  /** OTLP's number of the kind: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  attributes: Record<string, string | number | boolean | undefined>;
  links: { traceId: string; spanId: string }[];
  /** 0 unset, 1 ok, 2 error. */
  status: number;
  resource: Record<string, string | number | boolean | undefined>;
}

export class TraceReceiver {
  readonly spans: ReceivedSpan[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  /** The raw bodies of all requests. */
  readonly bytes: Buffer[] = [];
  /** Holds back every answer until it resolves. */
  gate: Promise<void> = Promise.resolve();
  status = 200;

  private constructor(
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<TraceReceiver> {
    const server = createServer((request, response) => void receiver.receive(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const receiver = new TraceReceiver(`http://127.0.0.1:${port}`, async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    });
    return receiver;
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    this.headers.push(request.headers);
    this.bytes.push(body);
    if (request.url === '/v1/traces') this.spans.push(...readSpans(body));
    await this.gate;
    response.writeHead(request.url === '/v1/traces' ? this.status : 404).end();
  }
}

/** The fields of a message by their numbers. A field that does not repeat has its last value. */
class Fields {
  private readonly values = new Map<number, (bigint | Buffer)[]>();

  constructor(bytes: Buffer) {
    let offset = 0;
    const varint = () => {
      let value = 0n;
      for (let shift = 0n; ; shift += 7n) {
        const byte = bytes.readUInt8(offset);
        offset += 1;
        value |= BigInt(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
      }
    };
    const slice = (length: number) => bytes.subarray(offset, (offset += length));
    const read: Record<number, () => bigint | Buffer> = {
      0: varint,
      1: () => slice(8),
      2: () => slice(Number(varint())),
      5: () => slice(4),
    };
    while (offset < bytes.length) {
      const tag = Number(varint());
      const value = read[tag & 7]!();
      this.values.set(tag >> 3, [...(this.values.get(tag >> 3) ?? []), value]);
    }
  }

  messages(number: number): Fields[] {
    return (this.values.get(number) ?? []).map((value) => new Fields(value as Buffer));
  }

  message(number: number): Fields {
    return this.messages(number).at(-1) ?? new Fields(Buffer.alloc(0));
  }

  bytes(number: number): Buffer {
    return (this.values.get(number)?.at(-1) as Buffer | undefined) ?? Buffer.alloc(0);
  }

  text(number: number): string {
    return this.bytes(number).toString('utf8');
  }

  number(number: number): number {
    return Number((this.values.get(number)?.at(-1) as bigint | undefined) ?? 0n);
  }

  has(number: number): boolean {
    return this.values.has(number);
  }
}

// The numbers of the fields come from opentelemetry/proto/trace/v1/trace.proto.
function readSpans(body: Buffer): ReceivedSpan[] {
  return new Fields(body).messages(1).flatMap((resourceSpans) => {
    const resource = attributesOf(resourceSpans.message(1), 1);
    return resourceSpans
      .messages(2)
      .flatMap((scopeSpans) => scopeSpans.messages(2).map((span) => readSpan(span, resource)));
  });
}

function readSpan(span: Fields, resource: ReceivedSpan['resource']): ReceivedSpan {
  const idsOf = (fields: Fields) => ({
    traceId: fields.bytes(1).toString('hex'),
    spanId: fields.bytes(2).toString('hex'),
  });
  return {
    ...idsOf(span),
    parentSpanId: span.bytes(4).toString('hex'),
    name: span.text(5),
    kind: span.number(6),
    attributes: attributesOf(span, 9),
    links: span.messages(13).map(idsOf),
    status: span.message(15).number(3),
    resource,
  };
}

function attributesOf(fields: Fields, number: number): ReceivedSpan['attributes'] {
  return Object.fromEntries(fields.messages(number).map((pair) => [pair.text(1), valueOf(pair.message(2))]));
}

function valueOf(value: Fields): string | number | boolean | undefined {
  if (value.has(1)) return value.text(1);
  if (value.has(2)) return value.number(2) === 1;
  if (value.has(3)) return value.number(3);
  return value.has(4) ? value.bytes(4).readDoubleLE() : undefined;
}
