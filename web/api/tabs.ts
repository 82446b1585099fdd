// Messages between the tabs of one browser.

/** Something has changed; read it again to know what it says now. */
export interface Change {
  readonly sequence: number;
  /** The type of its event: `standup.created`. */
  readonly type: string;
  readonly object: string;
  readonly id: string | null;
  readonly team_id: string | null;
  readonly date: string | null;
  readonly member_id: string | null;
}

export type TabMessage =
  | {readonly kind: 'signed-in' | 'signed-out'}
  /** `last`: the id of the last one's event, from where on another tab may go on. */
  | {readonly kind: 'changes'; readonly changes: readonly Change[]; readonly last: string | undefined}
  /** Changes may have been missed: read again all that is shown. */
  | {readonly kind: 'missed'}
  | {readonly kind: 'live'; readonly isLive: boolean}
  /** A new tab asks whether the stream is open. */
  | {readonly kind: 'ask-live'};

const channel = new BroadcastChannel('standup');

/** To the other tabs, not to this one. */
export function announce(message: TabMessage): void {
  channel.postMessage(message);
}

/** Answers how to hear no more. */
export function hear(listener: (message: TabMessage) => void): () => void {
  const onMessage = ({data}: MessageEvent<TabMessage>): void => listener(data);
  channel.addEventListener('message', onMessage);
  return () => channel.removeEventListener('message', onMessage);
}
