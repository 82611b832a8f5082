// Jest's environment for a test file: its own for Node, on a global object of its own kind. Jest's is a proxy behind
// interceptors, which each `Date`, `Promise` or `Buffer` in the product and its packages passes through.

import v8 from 'node:v8';
import vm from 'node:vm';
import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';

// The cache holds on to every file's world after its end: some 40 MB each, which the collector then goes through for the rest.
v8.setFlagsFromString('--no-compilation-cache');

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
