// The bounds on the size of files, in either direction.

import type { MediaKind } from '../../providers/chat-gateway.js';

const mebibyte = 1024 * 1024;

/** The largest files of each kind, in bytes. `sent` files keep to Meta's limits; `received` files come from leads. */
export const maxFileBytes: Readonly<Record<MediaKind, { sent: number; received: number }>> = {
  image: { sent: 5 * mebibyte, received: 16 * mebibyte },
  audio: { sent: 16 * mebibyte, received: 64 * mebibyte },
  video: { sent: 16 * mebibyte, received: 100 * mebibyte },
  document: { sent: 100 * mebibyte, received: 100 * mebibyte },
};

/** The largest file of any kind. */
export const maxAnyFileBytes = 100 * mebibyte;
