// Draws the pictures that leads of the simulator send: a PNG whose colours come from its name, so that two names look different.

import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 480;
const HEIGHT = 320;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const EIGHT_BIT_RGB = [8, 2, 0, 0, 0];

/** Draws the same picture for the same name. */
export function drawPicture(name: string): Buffer {
  const [red = 0, green = 0, blue = 0, turn = 0] = createHash('sha256').update(name).digest();
  const rows = Buffer.alloc((WIDTH * 3 + 1) * HEIGHT);
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const isInDisc = (x - WIDTH / 2) ** 2 + (y - HEIGHT / 2) ** 2 < (HEIGHT / 3) ** 2;
      const shade = isInDisc ? 255 - (turn % 64) : (x + y) / 4;
      const at = y * (WIDTH * 3 + 1) + 1 + x * 3;
      rows.set([mix(red, shade), mix(green, shade), mix(blue, shade)], at);
    }
  }
  const size = Buffer.alloc(8);
  size.writeUInt32BE(WIDTH, 0);
  size.writeUInt32BE(HEIGHT, 4);
  const header = Buffer.concat([size, Buffer.from(EIGHT_BIT_RGB)]);
  return Buffer.concat([
    SIGNATURE,
    chunkOf('IHDR', header),
    chunkOf('IDAT', deflateSync(rows)),
    chunkOf('IEND', Buffer.alloc(0)),
  ]);
}

function mix(colour: number, shade: number): number {
  return Math.round((colour + shade) / 2);
}

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
