// The part of the build that lets a start at the inbox load its page beside the entry, instead of after it.

import type { HtmlTagDescriptor, Plugin } from 'vite';

const pagePattern = /\/pages\/inbox\/inbox-page\.tsx$/;

/** Names the files of the inbox in the head of the page. */
export function firstPage(): Plugin {
  return {
    name: 'first-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const page = Object.values(bundle).find(
          (file) => file.type === 'chunk' && pagePattern.test(file.facadeModuleId ?? ''),
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
