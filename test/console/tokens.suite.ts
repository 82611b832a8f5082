// The console takes its colors, sizes of text, distances, radii, shadows and durations from one file of tokens.

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const folder = 'src/console';
const tokensName = 'app/tokens.css';

/** Each rule refuses a pattern in the values of some properties. Gaps below 4 px and pills may be literal. */
const rules: readonly { of: RegExp; refuses: RegExp; why: string }[] = [
  {
    of: /./,
    refuses:
      /#[\da-f]{3,8}\b|\b(rgba?|hsla?|hwb|lab|lch|oklab|oklch|light-dark)\(|\b(white|black|red|green|blue|gr[ae]y)\b/i,
    why: 'a color',
  },
  { of: /^font(-size)?$/, refuses: /^(?!.*(var\(--text-|inherit|--w-\w+\) var\(--text-)).*$/, why: 'a size of text' },
  { of: /^font-weight$/, refuses: /^(?!var|inherit)/, why: 'a weight' },
  { of: /^(padding|margin|gap|row-gap|column-gap)/, refuses: /\b([4-9]|\d{2,})(\.\d+)?px/, why: 'a distance' },
  { of: /^border-.*radius$/, refuses: /\b(?!999px)([4-9]|\d{2,})(\.\d+)?px/, why: 'a radius' },
  // Rings, which have no blur, are lines.
  { of: /^box-shadow$/, refuses: /(?<!0 )\b\d+px \d+px|0 \d+px \d+px/, why: 'a shadow' },
  { of: /^(transition|animation)/, refuses: /\b[1-9]\d*m?s\b|\b0?\.\d+s\b/, why: 'a duration' },
];

export function describeTokens(): void {
  let styles: { name: string; text: string }[];
  let tokens: Set<string>;

  beforeAll(async () => {
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.css')).sort();
    const all = await Promise.all(
      names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })),
    );
    tokens = new Set(declarationsOf(all.find(({ name }) => name === tokensName)?.text ?? '').map(({ name }) => name));
    styles = all.filter(({ name }) => name !== tokensName);
  });

  it('no style names a color, size of text, distance, radius, shadow or duration of its own', () => {
    expect(styles.length).toBeGreaterThan(20);
    const wrong = styles.flatMap(({ name, text }) =>
      declarationsOf(text).flatMap((declaration) =>
        rules
          .filter(({ of, refuses }) => of.test(declaration.name) && refuses.test(declaration.value))
          .map(({ why }) => `${name}: ${declaration.name}: ${declaration.value} (${why})`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('every custom property that a style uses is a token', () => {
    const unknown = styles.flatMap(({ name, text }) =>
      [...text.matchAll(/var\((--[\w-]+)/g)]
        .map(([, used = '']) => used)
        .filter((used) => !tokens.has(used))
        .map((used) => `${name}: ${used}`),
    );
    expect(unknown).toEqual([]);
  });
}

/** Lists the declarations of a style sheet, without its selectors, comments and queries. */
function declarationsOf(text: string): { name: string; value: string }[] {
  const bare = text
    .replaceAll(/\/\*.*?\*\//gs, '')
    // A face of a font describes its file.
    .replaceAll(/@font-face\s*\{[^}]*\}/g, '')
    .replaceAll(/@media[^{]*|@container[^{]*/g, '');
  return [...bare.matchAll(/(?<=[{;]\s*)([\w-]+):\s*([^;{}]+);/g)].map(([, name = '', value = '']) => ({
    name,
    value: value.replaceAll(/\s+/g, ' '),
  }));
}
