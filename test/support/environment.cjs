const {ModuleMocker} = require('jest-mock');

/**
 * Runs tests in the worker's own context instead of one that Jest creates. So tests and the service share the
 * same built-in classes, and all test files share the modules that Node has loaded (runtime.cjs).
 */
module.exports = class Environment {
  constructor() {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = null;
    // Jest replaces `console` and `process.exit` for each test file.
    this.own = {console: globalThis.console, exit: process.exit};
  }

  async setup() {}

  async teardown() {
    globalThis.console = this.own.console;
    process.exit = this.own.exit;
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      // Frees the tests of the finished file, with everything that their closures hold.
      if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
    }
  }

  /** Jest checks that this method exists, but no code uses its result. */
  getVmContext() {
    return null;
  }
};
