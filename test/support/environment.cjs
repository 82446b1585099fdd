const {ModuleMocker} = require('jest-mock');

/**
 * Runs tests in the worker's own context, not in one of Jest's. So objects of tests and of the service have
 * the same classes, and all test files share the modules that Node has loaded (runtime.cjs).
 */
module.exports = class Environment {
  constructor() {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = null;
    // Jest replaces them for each file.
    this.own = {console: globalThis.console, exit: process.exit};
  }

  async setup() {}

  async teardown() {
    globalThis.console = this.own.console;
    process.exit = this.own.exit;
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      // All tests of a file, with their closures.
      if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
    }
  }

  /** Jest checks that it exists; nothing here uses it. */
  getVmContext() {
    return null;
  }
};
