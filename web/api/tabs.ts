// What the tabs of one browser tell each other.
import type {Change} from './changes.ts';

export type TabMessage =
  | {readonly kind: 'signed-in' | 'signed-out'}
  /** `last`: the id of the last one's event, from where on another tab may go on. */
  | {readonly kind: 'changes'; readonly changes: readonly Change[]; readonly last: string | undefined}
  /** Changes may have been missed: read anew whatever is shown. */
  | {readonly kind: 'missed'}
  | {readonly kind: 'live'; readonly isLive: boolean}
  /** A new tab asks whether the stream is open. */
  | {readonly kind: 'ask-live'};

const channel = new BroadcastChannel('standup');

/** To the other tabs, not to this one. */
export function announce(message: TabMessage): void {
  channel.postMessage(message);
}

export function hear(listener: (message: TabMessage) => void): void {
  channel.addEventListener('message', ({data}: MessageEvent<TabMessage>) => listener(data));
}
