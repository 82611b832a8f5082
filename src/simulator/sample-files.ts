// Makes the other files that leads of the simulator send: a short sound and a page to print. Like a picture, each comes from its name.

import { createHash } from 'node:crypto';

const SAMPLES_PER_SECOND = 8_000;
const SECONDS = 3;
const HEADER_BYTES = 44;
const MAX_LINES = 40;

/** A WAV file of three seconds: a few soft tones, the same for the same name. */
export function makeSound(name: string): Buffer {
  const pitches = [...createHash('sha256').update(name).digest().subarray(0, 6)].map((byte) => 180 + byte);
  const samples = Buffer.alloc(SAMPLES_PER_SECOND * SECONDS);
  for (let at = 0; at < samples.length; at += 1) {
    const part = (at / samples.length) * pitches.length;
    const pitch = pitches[Math.floor(part)] ?? 0;
    const loudness = Math.sin((part % 1) * Math.PI) * 40;
    samples[at] = 128 + Math.round(Math.sin((2 * Math.PI * pitch * at) / SAMPLES_PER_SECOND) * loudness);
  }
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + samples.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  // The sound has a single channel of plain samples, a byte each.
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  header.writeUInt32LE(SAMPLES_PER_SECOND, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

/** A PDF of one page that has the name's words as its lines; a hyphen or an underscore ends a line. */
export function makeDocument(name: string): Buffer {
  const lines = name.split(/[-_]+/).slice(0, MAX_LINES);
  const shown = ['Gateway simulator', '', ...lines].map((line) => `(${escape(line)}) Tj T*`).join('\n');
  const content = `BT /F1 18 Tf 26 TL 72 760 Td\n${shown}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

// The font has no other letters, and brackets and backslashes mean something in a PDF.
function escape(line: string): string {
  return line.replace(/[^ -~]/g, '?').replace(/[\\()]/g, '\\$&');
}
