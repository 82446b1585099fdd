/** Imported first by tests of code that talks to other tabs: its channel does not keep the run from ending. */
const {BroadcastChannel: Channel} = globalThis;

export class StillChannel extends Channel {
  constructor(name: string) {
    super(name);
    (this as unknown as {unref: () => void}).unref();
  }
}

Object.defineProperty(globalThis, 'BroadcastChannel', {value: StillChannel, configurable: true});
