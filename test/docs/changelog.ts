// The changelog at a release: its date, what to do before an upgrade, and the section of the next version.

const heading = /^## (\d+\.\d+\.\d+) \((.+)\)$/m;
const noteHeading = '### Before you upgrade';

/**
 * @param text the changelog @param version the version that `npm version` has made @param date as YYYY-MM-DD
 * @returns the new text @throws Error with a sentence that says what to do
 */
export function changelogOf(text: string, version: string, date: string): string {
  const [number = '', stage] = version.split('-');
  const [head = '', current, state] = heading.exec(text) ?? [];
  if (stage === undefined) {
    if (current !== number || state !== 'unreleased')
      throw new Error(`The changelog has to begin with "## ${number} (unreleased)".`);
    if (!hasNote(sectionOf(text, head)))
      throw new Error(`Write under "${noteHeading}" of ${number} what to do, or that there is nothing to do.`);
    return text.replace(head, `## ${number} (${date})`);
  }
  if (current === number) return text;
  if (state === 'unreleased') throw new Error(`Release ${current} before you open ${number}.`);
  return text.replace(head, `## ${number} (unreleased)\n\n${noteHeading}\n\n${head}`);
}

/** Numbers of the versions after the first whose section has no note on the upgrade. */
export function versionsWithoutNote(text: string): string[] {
  const heads = [...text.matchAll(new RegExp(heading, 'gm'))];
  return heads.flatMap(([head, number = '', state]) =>
    state === 'unreleased' || hasNote(sectionOf(text, head)) ? [] : [number],
  );
}

function sectionOf(text: string, head: string): string {
  const [, rest = ''] = text.split(`${head}\n`);
  return rest.split(/^## /m)[0] ?? '';
}

function hasNote(section: string): boolean {
  const [, note = ''] = section.split(`${noteHeading}\n`);
  return note.split(/^#/m)[0]?.trim() !== '';
}
