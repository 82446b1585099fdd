const {ModuleMocker} = require('jest-mock');

/**
 * Tests run in the worker's own context and not in one of Jest's: what they make and what the service makes have the same classes, and what
 * Node has loaded for one test file is there for the next (runtime.cjs).
 */
module.exports = class Environment {
  constructor() {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = null;
    // Jest puts its own in their place for each file.
    this.own = {console: globalThis.console, exit: process.exit};
  }

  async setup() {}

  async teardown() {
    globalThis.console = this.own.console;
    process.exit = this.own.exit;
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      // All tests of a file, with what they close over.
      if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
    }
  }

  /** Jest asks whether it is there; nothing here asks for it. */
  getVmContext() {
    return null;
  }
};
