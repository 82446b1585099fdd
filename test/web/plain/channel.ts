/** Import this first in tests of code that sends messages to other tabs: its channel lets Node exit. */
const {BroadcastChannel: Channel} = globalThis;

export class StillChannel extends Channel {
  constructor(name: string) {
    super(name);
    (this as unknown as {unref: () => void}).unref();
  }
}

Object.defineProperty(globalThis, 'BroadcastChannel', {value: StillChannel, configurable: true});
