// A person's initials, in that person's own colour.

import styles from './avatar.module.css';

const hues = 12;

export function Avatar({ id, name, size = 36 }: { id: string; name: string; size?: 24 | 36 | 48 }) {
  return (
    <span className={styles.avatar} data-hue={hueOf(id)} data-size={size} aria-hidden>
      {initialsOf(name)}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/[\s@._-]+/).filter((word) => /\p{L}/u.test(word));
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  const letters = [first, last].map((word) => word?.match(/\p{L}\p{M}*/u)?.[0] ?? '').join('');
  return letters === '' ? '#' : letters.toUpperCase();
}

function hueOf(id: string): number {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) % 997;
  return sum % hues;
}
