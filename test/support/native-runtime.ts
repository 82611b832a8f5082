// Jest's runtime for a test file, without its virtual world: Node loads the tested modules once for each worker. In a world of its own,
// every file would load and compile two thousand modules again, and run them cold.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
// The ES module has the same types as the CommonJS form.
const { default: JestRuntime } = require('jest-runtime') as typeof import('jest-runtime');

const loader = pathToFileURL(join(import.meta.dirname, 'typescript-loader.ts')).href;
/** The functions that a test file finds without an import. */
const injected = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'test'];
/** The symbols of the global object under which Jest's framework keeps its knowledge of a file. */
const frameworkState = new Set(['EVENT_HANDLERS', 'JEST_STATE_SYMBOL']);
let fileCount = 0;

// Jest gives a worker half a second to end. It has nothing left to do then, but Node would free its heap of hundreds of megabytes piece by
// piece, which takes longer on a busy machine.
if (process.send !== undefined) process.once('beforeExit', () => process.exit());

export default class NativeRuntime extends JestRuntime {
  private readonly world: Record<string, unknown>;
  /** The file's number. The loader hands it on to all modules below `test`, so that no test file finds the state of another. */
  private readonly file = ++fileCount;

  constructor(...options: ConstructorParameters<typeof JestRuntime>) {
    super(...options);
    this.world = options[1].global;
  }

  /** Loads the framework again for each file, because it keeps its cases on the global object. */
  override requireInternalModule(from: string): never {
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (frameworkState.has(key.description ?? '')) Reflect.deleteProperty(globalThis, key);
    delete require.cache[from];
    return require(from) as never;
  }

  override unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  override async unstable_importModule(path: string): Promise<undefined> {
    await import(loader);
    for (const name of injected) Object.assign(globalThis, { [name]: this.world[name] });
    // Node knows the source maps of the modules that it has loaded, and Jest does not.
    process.setSourceMapsEnabled(true);
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    // Jest sets 100, and libraries of the product record the stack with each statement.
    Error.stackTraceLimit = 10;
    await import(`${pathToFileURL(path).href}?file=${this.file}`);
    return undefined;
  }
}
