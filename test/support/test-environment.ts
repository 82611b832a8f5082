// Jest's environment for a test file: its own for Node, on a global object of its own kind. Jest's is a proxy behind
// interceptors, which each `Date`, `Promise` or `Buffer` in the product and its packages passes through.

import v8 from 'node:v8';
import vm from 'node:vm';
import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';

// The cache holds on to every file's world after its end: some 40 MB each, which the collector then goes through for the rest.
v8.setFlagsFromString('--no-compilation-cache');
// Instead, what V8 made of a module's text is kept as bytes: this worker's next files read the same modules again.
const compiled = new Map<string, Buffer>();
const { SourceTextModule, compileFunction } = vm;

vm.SourceTextModule = class extends SourceTextModule {
  constructor(code: string, options: vm.SourceTextModuleOptions = {}) {
    const key = `${options.identifier} ${code.length}`;
    const cachedData = compiled.get(key);
    super(code, { ...options, cachedData });
    // Its types lack what it has.
    const { createCachedData } = this as unknown as { createCachedData(): Buffer };
    if (cachedData === undefined) compiled.set(key, createCachedData.call(this));
  }
};

vm.compileFunction = (code, parameters, options = {}) => {
  const key = `${options.filename} ${code.length}`;
  const cachedData = compiled.get(key);
  const result = compileFunction(code, parameters, {
    ...options,
    cachedData,
    produceCachedData: cachedData === undefined,
  });
  if (result.cachedData !== undefined) compiled.set(key, result.cachedData);
  return result;
};

export default class TestEnvironment extends NodeEnvironment {
  constructor(...options: ConstructorParameters<typeof NodeEnvironment>) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...options);
    } finally {
      vm.createContext = createContext;
    }
    // Node's own, where Jest takes 100: libraries of the product note the stack with each statement.
    (this.global as unknown as { Error: ErrorConstructor }).Error.stackTraceLimit = 10;
  }
}
