import {constants, createContext} from 'node:vm';
import {TestEnvironment} from 'jest-environment-node';

/**
 * Jest's environment for Node in a context whose global object is an ordinary one. Jest's own stands behind a proxy, which every look at
 * `Promise` or `JSON` goes through: that costs a run of all tests a fifteenth of its time.
 */
export default class PlainEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    const own = createContext(constants.DONT_CONTEXTIFY);
    for (const key of Reflect.ownKeys(this.global)) {
      // The language's own are there, and belong to the new context.
      if (Object.hasOwn(own, key)) continue;
      const {configurable, enumerable} = Object.getOwnPropertyDescriptor(this.global, key);
      Object.defineProperty(own, key, {configurable, enumerable, writable: true, value: this.global[key]});
    }
    // As Jest does it: Node makes these in the outer context, and tests compare what it makes with what they make.
    Object.assign(own, {global: own, ArrayBuffer, Uint8Array});
    own.Error.stackTraceLimit = 100;
    this.context = own;
    this.global = own;
  }
}
