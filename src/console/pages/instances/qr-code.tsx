// A code for the phone to scan: the gateway's picture, or a drawing of its text. It is black on white in both themes.

import { encode } from 'uqr';
import styles from './instances.module.css';

const border = 2;

interface QrCodeProps {
  code: string;
  label: string;
  /** The text to show if the code is too long for a QR code. */
  tooLong: string;
}

export function QrCode({ code, label, tooLong }: QrCodeProps) {
  if (code.startsWith('data:image/')) return <img className={styles.qr} src={code} alt={label} />;
  const drawn = draw(code);
  if (drawn === undefined) return <p role="alert">{tooLong}</p>;
  const { size, path } = drawn;
  return (
    <svg
      role="img"
      aria-label={label}
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}

/** Returns one path for all dark modules, with a rectangle for each horizontal run. */
function draw(text: string): { size: number; path: string } | undefined {
  const code = tryToEncode(text);
  if (code === undefined) return undefined;
  const { data, size } = code;
  const runs: string[] = [];
  for (const [y, row] of data.entries()) {
    let start = 0;
    for (let x = 0; x <= row.length; x += 1) {
      if (row[x] === true) continue;
      if (x > start) runs.push(`M${start} ${y}h${x - start}v1h-${x - start}z`);
      start = x + 1;
    }
  }
  return { size, path: runs.join('') };
}

function tryToEncode(text: string) {
  try {
    return encode(text, { ecc: 'L', border });
  } catch {
    return undefined;
  }
}
