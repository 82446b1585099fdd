// Messages between the tabs of one browser.

/** A change of an object, without the object's new content. */
export interface TabChange {
  readonly sequence: number;
  /** The event type, such as `standup.created`. */
  readonly type: string;
  readonly object: string;
  readonly id: string | null;
  readonly team_id: string | null;
  readonly date: string | null;
  readonly member_id: string | null;
  /** The change reminds the person who is signed in. */
  readonly for_me?: true;
}

export type TabMessage =
  | {readonly kind: 'signed-in' | 'signed-out'}
  /** Changes of objects. `last`: the id of the last event, after which another tab can resume the stream. */
  | {readonly kind: 'changes'; readonly changes: readonly TabChange[]; readonly last: string | undefined}
  /** Changes may have been missed, so each tab must read again all data that it shows. */
  | {readonly kind: 'missed'}
  | {readonly kind: 'live'; readonly isLive: boolean}
  /** A new tab asks whether the stream is open. */
  | {readonly kind: 'ask-live'};

const channel = new BroadcastChannel('standup');

/** Sends a message to the other tabs, not to this one. */
export function sendToOtherTabs(message: TabMessage): void {
  channel.postMessage(message);
}

/** Calls the listener with each message of another tab. Returns a function that stops listening. */
export function onTabMessage(listener: (message: TabMessage) => void): () => void {
  const onMessage = ({data}: MessageEvent<TabMessage>): void => listener(data);
  channel.addEventListener('message', onMessage);
  return () => channel.removeEventListener('message', onMessage);
}
