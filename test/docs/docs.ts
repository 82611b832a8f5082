// The entry of `npm run docs`: it writes the generated blocks of README.md and src/docs. With `-- --check` it writes nothing, and fails
// where a block is stale or a page breaks a rule. With `-- --sizes` it also prints each page's size and longest paragraph.

import { answerArguments } from '../../src/commands/arguments.js';
import { generateBlocks } from './generated.js';
import { blockNames, fillBlocks, readPages, withoutBlocks, writePage, type Page } from './pages.js';
import { paragraphsOf, problemsOf, unreachablePages } from './rules.js';

const usage = `Usage: npm run docs [-- --check] [-- --sizes]

Writes the generated parts of the documents, and checks sizes, sentences and links. With --check it writes nothing, and fails
where a part is stale. With --sizes it also prints the size of each page.
`;
const args = process.argv.slice(2);
const answered = answerArguments(args, { usage, options: ['--check', '--sizes'] });
if (answered === undefined) await main(new Set(args));
else process.exitCode = answered;

async function main(options: ReadonlySet<string>): Promise<void> {
  const problems = await checkDocuments(options.has('--check'));
  if (options.has('--sizes')) for (const page of await readPages()) process.stdout.write(`${describeSize(page)}\n`);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

async function checkDocuments(isCheck: boolean): Promise<string[]> {
  const blocks = await generateBlocks();
  const pages = await readPages();
  const fresh = pages.map(({ path, text }) => ({ path, text: fillBlocks(text, blocks) }));
  const stale = fresh.filter(({ text }, index) => text !== pages[index]?.text);
  if (!isCheck) for (const page of stale) await writePage(page);
  const used = new Set(pages.flatMap(({ text }) => blockNames(text)));
  return [
    ...(isCheck ? stale.map(({ path }) => `${path}: it is stale. Run npm run docs.`) : []),
    ...[...blocks.keys()].filter((name) => !used.has(name)).map((name) => `No page has the block ${name}.`),
    ...unreachablePages(fresh).map((path) => `${path}: no page links to it.`),
    ...(await Promise.all(fresh.map((page) => problemsOf(page, fresh)))).flat(),
  ];
}

function describeSize({ path, text }: Page): string {
  const longest = Math.max(0, ...paragraphsOf(withoutBlocks(text)).map(({ length }) => length));
  const own = Buffer.byteLength(withoutBlocks(text));
  return `${path}: ${Buffer.byteLength(text)} bytes, ${own} without blocks; longest paragraph ${longest} characters`;
}
