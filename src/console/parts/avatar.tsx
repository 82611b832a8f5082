// A person's initials, in that person's own color.

import styles from './avatar.module.css';
import { Icon } from './icon.js';

const faces = 6;

interface AvatarProps {
  id: string;
  name: string;
  size?: 22 | 26 | 36 | 44;
  /** Draws a ring in place of the color: for the colleague of a row that has a face already. */
  isRing?: boolean;
  title?: string;
}

export function Avatar({ id, name, size = 36, isRing = false, title }: AvatarProps) {
  return (
    <span
      className={styles.avatar}
      data-face={faceOf(id)}
      data-size={size}
      data-ring={isRing || undefined}
      title={title}
      aria-hidden
    >
      {initialsOf(name) || <Icon name="user" size={size < 36 ? 14 : 18} />}
    </span>
  );
}

/** @returns nothing for a name without letters, such as a number */
function initialsOf(name: string): string {
  const words = name.split(/[\s@._-]+/).filter((word) => /\p{L}/u.test(word));
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  const letters = [first, last].map((word) => word?.match(/\p{L}\p{M}*/u)?.[0] ?? '').join('');
  return letters.toUpperCase();
}

function faceOf(id: string): number {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) % 997;
  return 1 + (sum % faces);
}
