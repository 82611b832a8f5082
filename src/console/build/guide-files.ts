// The part of the build that publishes the guides: a file for each, the list /llms.txt, and the titles that the console shows.

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { groupGuides, type GuideGroup } from '../pages/docs/guide-groups.js';
import { atFences, headOf, withAddress, type GuideHead } from '../pages/docs/guide-text.js';

const folder = join(import.meta.dirname, '../../docs');
/** The console imports this name: it stands for no file. */
const headsModule = 'virtual:guide-heads';
/** The server writes the reader's own address in its place. */
const anyAddress = '{{address}}';

const headings: Record<GuideGroup, string> = {
  forUsers: 'Use',
  forIntegrators: 'Integrate',
  forBuilders: 'Build a client',
  forAdministrators: 'Operate',
  aboutInside: 'Inside',
};

/** Publishes the guides below `docs` of the build, with `docs/llms.txt`. */
export function guideFiles(): Plugin {
  return {
    name: 'guide-files',
    resolveId: (id) => (id === headsModule ? `\0${headsModule}` : undefined),
    async load(id) {
      if (id !== `\0${headsModule}`) return undefined;
      return `export const heads = ${JSON.stringify(headsOf(await readGuides()))};`;
    },
    async generateBundle(_options, bundle) {
      const guides = await readGuides();
      const pictures = new Map<string, string>();
      for (const file of Object.values(bundle))
        if (file.type === 'asset')
          for (const original of file.originalFileNames)
            pictures.set(original.replace(/^.*\/docs\/images\//, 'images/'), `/${file.fileName}`);
      for (const [name, source] of guides)
        this.emitFile({ type: 'asset', fileName: `docs/${name}.md`, source: publish(source, guides, pictures) });
      this.emitFile({ type: 'asset', fileName: 'docs/llms.txt', source: listOf(headsOf(guides)) });
    },
  };
}

async function readGuides(): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).toSorted();
  const read = names.map(async (name) => [name.slice(0, -3), await readFile(join(folder, name), 'utf8')] as const);
  return new Map(await Promise.all(read));
}

function headsOf(guides: ReadonlyMap<string, string>): GuideHead[] {
  return [...guides].map(([name, source]) => headOf(name, source));
}

function publish(source: string, guides: ReadonlyMap<string, string>, pictures: ReadonlyMap<string, string>): string {
  const parts = atFences(source.replaceAll(/<!--[\s\S]*?-->\n?/g, ''));
  const linked = parts.map((part, index) => (index % 2 === 1 ? part : relink(part, guides, pictures)));
  return withAddress(linked.join(''), anyAddress);
}

/** Turns links to files of the repository into addresses. A link to what is not published leaves its words. */
function relink(prose: string, guides: ReadonlyMap<string, string>, pictures: ReadonlyMap<string, string>): string {
  return prose.replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, mark: string, words: string, target: string) => {
    if (/^(?:[a-z]+:|#)/i.test(target)) return whole;
    const [path = '', anchor] = target.split('#');
    const name = /^([\w-]+)\.md$/.exec(path)?.[1] ?? '';
    const address = guides.has(name) ? `/docs/${name}.md` : pictures.get(path);
    if (address === undefined) return words;
    return `${mark}[${words}](${address}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}

/** The list for programs that read documents: llmstxt.org describes its form. */
function listOf(heads: readonly GuideHead[]): string {
  const lineOf = (name: string) => {
    const { title, summary } = heads.find((head) => head.name === name) ?? { title: name, summary: '' };
    return `- [${title}](${anyAddress}/docs/${name}.md): ${summary}`;
  };
  const sections = groupGuides(heads.map(({ name }) => name)).map(
    ({ group, names }) => `## ${headings[group]}\n\n${names.map(lineOf).join('\n')}\n`,
  );
  return [
    '# Leadwire\n',
    '> Leadwire takes in leads of many tenants and exchanges chat messages with them, over REST, GraphQL and webhooks.\n',
    `The routes of REST are in ${anyAddress}/openapi.json. Each code of an error has a section in ${anyAddress}/docs/errors.md.\n`,
    ...sections,
  ].join('\n');
}
