// Modules of the console in Node: the parts of a browser that they read when they are loaded.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const consoleFolder = join(import.meta.dirname, '../../src/console');

const browserGlobals = {
  localStorage: { getItem: () => null, setItem: () => undefined },
  document: { documentElement: {} },
  addEventListener: () => undefined,
};

/** Has them while the cases of a suite run. */
export function provideBrowserGlobals(): void {
  beforeAll(() => {
    for (const [name, value] of Object.entries(browserGlobals))
      Object.defineProperty(globalThis, name, { value, configurable: true });
  });
  afterAll(() => {
    for (const name of Object.keys(browserGlobals)) Reflect.deleteProperty(globalThis, name);
  });
}

/** Loads a module by its path in the console's folder, without its types. */
export async function loadOfConsole<Module>(path: string): Promise<Module> {
  return (await import(pathToFileURL(join(consoleFolder, path)).href)) as Module;
}
