// Small files of real types, and one of any size that begins like a real one.

import { crc32, deflateSync } from 'node:zlib';

/** A picture of one pixel, with so many bytes behind it. */
export function png(extraBytes = 0): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, 255, 0, 0]))),
    chunk('IEND', Buffer.alloc(0)),
    Buffer.alloc(extraBytes, 7),
  ]);
}

export const jpegHead = () => Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
export const pdf = (extraBytes = 0) =>
  Buffer.concat([Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\n'), Buffer.alloc(extraBytes, 10)]);
export const svg = () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

/** An empty archive. */
export const zip = () => Buffer.concat([Buffer.from('504b0506', 'hex'), Buffer.alloc(18)]);

export function oggOpus(): Buffer {
  const head = Buffer.from('OpusHead\u0001\u0001', 'latin1');
  return Buffer.concat([
    Buffer.from('OggS'),
    Buffer.from([0, 2]),
    Buffer.alloc(20),
    Buffer.from([1, 19]),
    head,
    Buffer.alloc(9),
  ]);
}
