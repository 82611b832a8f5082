// The guides of src/docs. Each loads when it is first shown, and the search reads all of them.

import { lexer, type Token, type Tokens } from 'marked';

const sources = import.meta.glob<string>('../../../docs/*.md', { query: '?raw', import: 'default' });
/** The addresses of the built pictures, by path. */
const pictures = import.meta.glob<string>('../../../docs/images/*.png', {
  query: '?url',
  import: 'default',
  eager: true,
});

export type GuideGroup = 'forUsers' | 'forIntegrators' | 'forBuilders' | 'forAdministrators' | 'aboutInside';

/** The guides in the order of the list. A guide that is missing here comes last. */
const groups: Record<GuideGroup, readonly string[]> = {
  forUsers: ['use-the-console'],
  forIntegrators: [
    'integrate',
    'integrate-lead-sources',
    'integrate-form-products',
    'integrate-forms',
    'integrate-limits',
    'errors',
    'numbers',
    'integrate-gateways',
    'integrate-waha',
    'integrate-meta',
    'integrate-receipts',
    'message-kinds',
    'integrate-webhooks',
    'dry-runs',
    'simulator',
    'simulator-dresses',
    'simulator-players',
  ],
  forBuilders: [
    'build-a-client',
    'client-features',
    'files-of-leads',
    'client-conversations',
    'client-messages',
    'quick-replies',
    'client-example',
    'assistants',
    'consent',
    'ads',
  ],
  forAdministrators: [
    'operate',
    'operate-docker',
    'operate-upgrade',
    'configuration',
    'operate-sign-in',
    'operate-secrets',
    'operate-monitoring',
    'operate-retention',
    'metrics',
    'runbook',
    'recover-messages',
    'operate-growth',
    'operate-databases',
    'operate-cluster',
    'operate-backup',
  ],
  aboutInside: [
    'design',
    'design-parts',
    'measured',
    'faults',
    'contribute',
    'glossary',
    'changelog',
    'changelog-intake',
  ],
};

export const firstGuide = 'use-the-console';

export interface Guide {
  name: string;
  title: string;
  tokens: Token[];
}

export interface Section {
  guide: string;
  guideTitle: string;
  heading: string;
  slug: string;
  text: string;
}

const names = Object.keys(sources).map((path) => path.replace(/^.*\/|\.md$/g, ''));

export function listGuides(): { group: GuideGroup; names: string[] }[] {
  const listed = Object.entries(groups).map(([group, wanted]) => ({
    group: group as GuideGroup,
    names: wanted.filter((name) => names.includes(name)),
  }));
  const missing = names.filter((name) => !listed.some((one) => one.names.includes(name)));
  return listed.map((one) => (one.group === 'aboutInside' ? { ...one, names: [...one.names, ...missing] } : one));
}

/** Returns the title that a link shows before its guide is read. */
export function titleOf(name: string): string {
  const text = name.replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export async function readGuide(name: string): Promise<Guide | undefined> {
  const source = sources[`../../../docs/${name}.md`];
  if (source === undefined) return undefined;
  const tokens = lexer(await source());
  const first = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
  return { name, title: first === undefined ? titleOf(name) : plainText(first.tokens), tokens };
}

let sections: Promise<Section[]> | undefined;

/** Returns at most 40 sections that contain every word. Matches in headings come first. */
export async function searchGuides(wanted: string): Promise<Section[]> {
  sections ??= Promise.all(names.map(readGuide)).then((guides) => guides.flatMap((guide) => sectionsOf(guide)));
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = (await sections).filter(({ heading, text }) => has(`${heading} ${text}`));
  return found.toSorted((one, other) => Number(has(other.heading)) - Number(has(one.heading))).slice(0, 40);
}

function sectionsOf(guide: Guide | undefined): Section[] {
  if (guide === undefined) return [];
  const { name, title, tokens } = guide;
  const found: Section[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = plainText((token as Tokens.Heading).tokens);
      found.push({ guide: name, guideTitle: title, heading, slug: slugOf(heading), text: '' });
    } else {
      const last = found.at(-1);
      if (last !== undefined) last.text += `${token.raw}\n`;
    }
  }
  return found;
}

/** Returns the anchor that GitHub makes of a heading. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

export function plainText(tokens: readonly Token[] = []): string {
  return tokens
    .map((token) =>
      'tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? String(token.text) : '',
    )
    .join('');
}

/** Returns a link's target in the console; undefined for addresses outside the guides. */
export function targetOf(href: string, current: string): { page: string; hash: string } | undefined {
  if (/^[a-z]+:/i.test(href)) return undefined;
  const [path = '', hash = ''] = href.split('#');
  if (path === '') return { page: current, hash };
  const page = path.replace(/^.*\/|\.md$/g, '');
  return names.includes(page) ? { page, hash } : undefined;
}

/** Returns the address of a guide's picture; undefined if the build has no such picture. */
export function pictureAt(href: string): string | undefined {
  return pictures[`../../../docs/${href}`];
}
