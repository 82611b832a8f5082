// The type of a file: by its content, held against the declared type.

import { deflateSync } from 'node:zlib';
import { isShownInline, judgeType, kindOf } from '../../../src/features/media/media-type.js';
import { jpegHead, oggOpus, pdf, png, svg, zip } from './sample-files.js';

export function describeMediaType(): void {
  test.each<[string, Buffer, string | null, string | null]>([
    ['a picture', png(), 'image/png', 'image/png'],
    ['a picture of another kind than declared', png(), 'image/jpeg', 'image/png'],
    ['a picture without a type', png(), null, 'image/png'],
    ['a picture of unknown type', png(), 'application/octet-stream', 'image/png'],
    ['a JPEG', jpegHead(), 'image/jpeg', 'image/jpeg'],
    ['a voice note', oggOpus(), 'audio/ogg; codecs=opus', 'audio/ogg; codecs=opus'],
    ['a PDF', pdf(), 'application/pdf', 'application/pdf'],
    ['a text', Buffer.from('Oi'), 'text/plain', 'text/plain'],
    ['a page, which is saved', Buffer.from('<html><script>1</script>'), 'text/html', 'text/html'],
    [
      'an office document, which is a ZIP',
      zip(),
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    ['a vector picture', svg(), 'image/svg+xml', 'image/svg+xml'],
    ['bytes of no known type', deflateSync('x'), null, 'application/octet-stream'],
    ['a malformed type', png(), 'nonsense', 'image/png'],
    ['a text that is called a picture', Buffer.from('<script>'), 'image/png', null],
    ['a ZIP that is called a PDF', zip(), 'application/pdf', null],
    ['a PDF that is called a picture', pdf(), 'image/png', null],
    ['a picture that is called a text', png(), 'text/plain', null],
    ['a picture that is called a voice note', png(), 'audio/ogg', null],
    ['a text that is called a vector picture', Buffer.from('Oi'), 'image/svg+xml', null],
    ['nothing that is called a video', Buffer.from('no video'), 'video/mp4', null],
  ])('%s', async (_name, content, declared, expected) => {
    expect(await judgeType(content, declared)).toBe(expected);
  });

  test.each([
    ['image/png', 'image', true],
    ['image/svg+xml', 'document', false],
    ['audio/ogg; codecs=opus', 'audio', true],
    ['video/mp4', 'video', true],
    ['application/pdf', 'document', true],
    ['text/html', 'document', false],
    ['application/zip', 'document', false],
    ['nonsense', 'document', false],
  ])('%s is of the kind %s; shown inline: %s', (type, kind, isInline) => {
    expect([kindOf(type), isShownInline(type)]).toEqual([kind, isInline]);
  });
}
