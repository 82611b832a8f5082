// The part of the build that lets a start at the inbox load its page beside the entry, instead of after it, and in few files: each file
// costs its headers, and each import waits for the file that names it.

import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite';

const entryPattern = /\/app\/main\.tsx$/;
const pagePattern = /\/pages\/inbox\/inbox-page\.tsx$/;

/**
 * Gathers what every page needs in one file, and what the inbox needs besides in another. A group takes what no earlier one has taken. The
 * entry keeps a file of its own: the page and the service worker know a build by it.
 */
export const firstFiles: Rolldown.CodeSplittingGroup[] = [
  {
    name: (id, graph) => (!entryPattern.test(id) && isNeededBy(entryPattern, id, graph) ? 'shared' : null),
    priority: 2,
  },
  { name: (id, graph) => (isNeededBy(pagePattern, id, graph) ? 'inbox' : null), priority: 1 },
];

/** Names the files of the inbox in the head of the page. */
export function firstPage(): Plugin {
  return {
    name: 'first-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const page = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.moduleIds.some((id) => pagePattern.test(id)),
        );
        if (page?.type !== 'chunk') throw new Error('the build has no inbox');
        const link = (attributes: Record<string, string>): HtmlTagDescriptor => ({
          tag: 'link',
          attrs: { crossorigin: '', ...attributes },
          injectTo: 'head',
        });
        return [
          link({ rel: 'modulepreload', href: `/${page.fileName}` }),
          ...[...(page.viteMetadata?.importedCss ?? [])].map((name) => link({ rel: 'stylesheet', href: `/${name}` })),
        ];
      },
    },
  };
}

/** Returns true if a module that the pattern names imports this one, by whatever chain of static imports. */
function isNeededBy(pattern: RegExp, moduleId: string, graph: Rolldown.ChunkingContext): boolean {
  const seen = new Set<string>();
  const waiting = [moduleId];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (pattern.test(id)) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    waiting.push(...(graph.getModuleInfo(id)?.importers ?? []));
  }
  return false;
}
