// Folders of templates: what stands before the first slash of a name is the folder's name.

export interface TemplateFolder<Template> {
  /** Undefined for the templates that are in none. */
  name: string | undefined;
  templates: Template[];
}

/** Returns the templates by folder, each in the order of its first template; those without one come first. */
export function foldersOf<Template extends { name: string }>(
  templates: readonly Template[],
): TemplateFolder<Template>[] {
  const byName = Map.groupBy(templates, ({ name }) => folderOf(name));
  const loose = byName.get(undefined);
  byName.delete(undefined);
  const folders = [...byName].map(([name, inside]) => ({ name, templates: inside }));
  return loose === undefined ? folders : [{ name: undefined, templates: loose }, ...folders];
}

/** Returns a name without its folder. */
export function nameInFolder(name: string): string {
  return folderOf(name) === undefined ? name : name.slice(name.indexOf('/') + 1).trim();
}

function folderOf(name: string): string | undefined {
  const [folder = '', ...rest] = name.split('/');
  const isFolder = folder.trim() !== '' && rest.join('/').trim() !== '';
  return isFolder ? folder.trim() : undefined;
}
