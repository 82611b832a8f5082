// The formats of what a phone's owner scans or types to connect a line. Both are ways to take the line over: they are
// handed on, and never stored or logged.

import { text } from '../platform/input.js';

const maxQrLength = 48 * 1024;
const maxPairingCodeLength = 64;

/** A picture as a data URL, or the text to draw as a QR code. */
export const qr = text(maxQrLength);

export const pairingCode = text(maxPairingCodeLength);
