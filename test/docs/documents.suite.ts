// The documents' hand-written statements about the code, and the rules that `npm run docs` checks them by.

import { readFile, readdir } from 'node:fs/promises';
import { AppError, errorTable } from '../../src/platform/errors.js';
import { problemOf } from '../../src/transport/http/error-to-http.js';
import { changelogOf, versionsWithoutNote } from './changelog.js';
import { blockNames, fillBlocks, readPages, type Page } from './pages.js';
import { isLongComment, opensAsFragment, problemsOf, unreachablePages, unwantedWordIn } from './rules.js';

const pages = await readPages();
const textOf = (path: string) => pages.find((page) => page.path === path)?.text ?? '';

export function describeDocuments(): void {
  test('the table of errors has every code with its status', () => {
    const rows = [...textOf('src/docs/errors.md').matchAll(/^\| \[`([A-Z_]+)`\]\(\S+\) \| (\d{3}) \|/gm)];
    const documented = Object.fromEntries(rows.map(([, code = '', status]) => [code, Number(status)]));
    expect(documented).toEqual(
      Object.fromEntries(Object.entries(errorTable).map(([code, { status }]) => [code, status])),
    );
  });

  test('each code has the section that the type of a problem leads to', () => {
    const codes = Object.keys(errorTable) as (keyof typeof errorTable)[];
    const page = textOf('src/docs/errors.md');
    expect([...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual(codes);
    const sections = page.split(/^## /m).slice(1);
    for (const [index, section] of sections.entries())
      expect([codes[index], section]).toEqual([
        codes[index],
        expect.stringMatching(
          /^[A-Z_]+\n\n\S.+\n\n- \*\*Why:\*\* .+\n- \*\*What to do:\*\* .+\n- \*\*Repeat:\*\* .+\n/,
        ),
      ]);
    for (const code of codes) {
      const { type } = problemOf(new AppError(code, 'x'), undefined) as { type: string };
      const [path, hash = ''] = type.split('#');
      expect([path, hash]).toEqual(['/docs/errors', code]);
    }
  });

  test('the changelog begins with the version of package.json, unreleased as long as that is a version of development', async () => {
    const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    const [, number = '', note = ''] = /^## (\d+\.\d+\.\d+) \((.+)\)$/m.exec(textOf('src/docs/changelog.md')) ?? [];
    expect(version.split('-')[0]).toBe(number);
    expect(note === 'unreleased').toBe(version.includes('-dev.'));
  });

  test('each released version says what to do before an upgrade', () => {
    expect(versionsWithoutNote(textOf('src/docs/changelog.md'))).toEqual([]);
  });

  describe('npm version', () => {
    const changelog = (state: string, note: string) =>
      `# Changelog\n\n## 0.2.0 (${state})\n\n### Before you upgrade\n\n${note}\n\n### New\n\n- This.\n\n## 0.1.0\n`;

    test('puts the date of a release into the changelog', () => {
      const released = changelogOf(changelog('unreleased', 'Nothing.'), '0.2.0', '2027-01-31');
      expect(released).toBe(changelog('2027-01-31', 'Nothing.'));
      expect(versionsWithoutNote(released)).toEqual([]);
    });

    test('refuses a release without a note for the upgrade, and one that the changelog does not begin with', () => {
      const bare = changelog('unreleased', '');
      expect(() => changelogOf(bare, '0.2.0', '2027-01-31')).toThrow('Write under "### Before you upgrade" of 0.2.0');
      expect(versionsWithoutNote(changelog('2027-01-31', ''))).toEqual(['0.2.0']);
      expect(() => changelogOf(changelog('unreleased', 'Nothing.'), '0.3.0', '2027-01-31')).toThrow(
        'The changelog has to begin with "## 0.3.0 (unreleased)".',
      );
    });

    test('opens the next version with a section of its own, once', () => {
      const opened = changelogOf(changelog('2027-01-31', 'Nothing.'), '0.3.0-dev.0', '2027-02-01');
      expect(opened).toContain(
        '# Changelog\n\n## 0.3.0 (unreleased)\n\n### Before you upgrade\n\n## 0.2.0 (2027-01-31)',
      );
      expect(changelogOf(opened, '0.3.0-dev.1', '2027-02-01')).toBe(opened);
      expect(() => changelogOf(opened, '0.4.0-dev.0', '2027-02-01')).toThrow('Release 0.3.0 before you open 0.4.0.');
    });
  });

  test('every bench has a place for what it prints', async () => {
    const files = await readdir(new URL('../bench', import.meta.url));
    const benches = files.flatMap((file) => /^(.+)\.bench\.ts$/.exec(file)?.[1] ?? []);
    // Their tables become one.
    const paths = ['inbound', 'leads', 'status', 'dispatch', 'inbox', 'fan-out'];
    const places = ['paths', ...benches.filter((name) => !paths.includes(name))];
    const blocks = pages.flatMap(({ text }) => blockNames(text));
    expect(blocks).toEqual(expect.arrayContaining([...places.map((name) => `bench-${name}`), 'soak', 'faults']));
  });

  test('the console lists every guide under its readers, and a guide shows every picture', async () => {
    const guides = await readFile(new URL('../../src/console/pages/docs/guide-groups.ts', import.meta.url), 'utf8');
    const names = pages.flatMap(({ path }) => /^src\/docs\/(.+)\.md$/.exec(path)?.[1] ?? []);
    expect(names.filter((name) => !guides.includes(`'${name}'`))).toEqual([]);
    const pictures = await readdir(new URL('../../src/docs/images', import.meta.url));
    const isShown = (name: string) => pages.some(({ text }) => text.includes(`images/${name})`));
    expect(pictures.filter((name) => !isShown(name))).toEqual([]);
  });

  // The check covers error messages, descriptions, comments, titles of tests and names. The rules name the words.
  describe.each(['src', 'test'])('the sources in %s', (folder) => {
    const root = new URL(`../../${folder}/`, import.meta.url);
    /** Each line of a source that people write, with its path. */
    let lines: { path: string; line: string }[];

    beforeAll(async () => {
      const paths = (await readdir(root, { recursive: true })).filter((path) => /\.(?:tsx?|yml|graphql)$/.test(path));
      const own = paths.filter(
        (path) =>
          !/^(?:platform\/prisma\/|bench\/node_modules\/|docs\/(?:rules|documents\.suite)\.ts$)|(?:^|\/)operations\.ts$/.test(
            path,
          ),
      );
      expect(own.length).toBeGreaterThan(200);
      const texts = own.map(async (path) => {
        const text = await readFile(new URL(path, root), 'utf8');
        return text.split('\n').map((line) => ({ path, line }));
      });
      lines = (await Promise.all(texts)).flat();
    });

    test('have no unwanted words', () => {
      const found = lines.flatMap(({ path, line }) => {
        const word = unwantedWordIn(`${path}: ${line}`);
        return word === undefined ? [] : [`${path}: "${word}" in: ${line.trim()}`];
      });
      expect(found).toEqual([]);
    });

    test('have no comment that opens without its subject', () => {
      expect(lines.filter(({ line }) => opensAsFragment(line))).toEqual([]);
    });

    test('have no line of a comment that is too long', () => {
      expect(lines.filter(({ line }) => isLongComment(line))).toEqual([]);
    });
  });

  test.each([
    ['/** What the tenant may send. */', true],
    ['  // Of one lead.', true],
    ['/** The tenant’s limit. */', false],
    ['  const text = "// Of one lead";', false],
  ])('%s opens as a fragment: %s', (line, expected) => {
    expect(opensAsFragment(line)).toBe(expected);
  });

  describe('a page', () => {
    const target: Page = { path: 'src/docs/target.md', text: '# Target\n\n## The end\n\n## The end\n' };
    const check = (text: string, path = 'src/docs/page.md') => problemsOf({ path, text }, [{ path, text }, target]);

    test('that keeps the rules has no problem', async () => {
      const text =
        '# Page\n\nSee [the end](target.md#the-end-1), and `a door`.\n\n```sh\nanything is [code](nowhere.md) here\n```\n';
      expect(await check(text)).toEqual([]);
    });

    test.each([
      ['too long', 'word. '.repeat(3_400), /20400 bytes; 20000 at most/],
      ['with a paragraph that is too long', 'Short words. '.repeat(50), /a paragraph of 649 characters/],
      ['with a row that is too long', `| ${'cell '.repeat(130)} |`, /a row of 6\d\d characters/],
      ['with a sentence that is too long', 'word '.repeat(26), /a sentence of 26 words/],
      ['with an unwanted word', 'Call it anew.', /"anew" in/],
      ['with a patronictl that finds no cluster', 'Call `patronictl list`.', /patronictl without its configuration/],
      ['with the name of no file', 'See `leads/nowhere.ts`.', /there is no file leads\/nowhere\.ts/],
      ['with a link to no file', '[there](nowhere.md)', /nowhere\.md leads to no file/],
      ['with a link to no heading', '[there](target.md#nowhere)', /#nowhere leads to no heading/],
      ['with a link to no heading of its own', '[there](#nowhere)', /#nowhere leads to no heading/],
    ])('%s is refused', async (_, text, problem) => {
      expect((await check(text)).join('\n')).toMatch(problem);
    });

    test('README.md is shorter than others', async () => {
      expect(await check('word. '.repeat(1_700), 'README.md')).toEqual([
        'README.md: it has 10200 bytes; 10000 at most.',
        expect.anything(),
      ]);
    });

    test('that no page links to is named', () => {
      const readme = { path: 'README.md', text: '[one](src/docs/one.md)' };
      const one = { path: 'src/docs/one.md', text: '[two](two.md)' };
      const two = { path: 'src/docs/two.md', text: '' };
      expect(unreachablePages([readme, one, two, target])).toEqual(['src/docs/target.md']);
    });
  });

  test('a block is filled between its marks, with any text, and the others stay', () => {
    const block = (name: string, content: string) => `<!-- begin:${name} -->\n${content}\n<!-- end:${name} -->`;
    const text = `# Page\n\n${block('one', '')}\n\n${block('two', 'old $1')}\n`;
    const filled = fillBlocks(text, new Map([['one', '\n| $& | $1 |\n']]));
    expect(filled).toBe(`# Page\n\n${block('one', '| $& | $1 |')}\n\n${block('two', 'old $1')}\n`);
  });
}
