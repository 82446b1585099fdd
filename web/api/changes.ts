// Shares one change stream between all tabs of a browser: over HTTP/1.1 a browser opens at most six
// connections to an origin.
import {openStream, computeRetryDelay, readServerEvents} from './server-events.ts';
import {sleep} from './sleep.ts';
import {onSessionEnd} from './session.ts';
import {sendToOtherTabs, type TabChange, onTabMessage} from './tabs.ts';

export interface ChangeListener {
  readonly onChanges: (changes: readonly TabChange[]) => void;
  /** Called when the page may have missed changes. */
  readonly onMissed: () => void;
}

/** Time (ms) during which changes are collected, so that listeners are called once for all of them. */
const gather = 100;
/** Maximum wait (ms) of a read for the stream. The data is read again once the stream is open. */
const longestWait = 1_000;

const changeListeners = new Set<ChangeListener>();
const liveListeners = new Set<() => void>();
const waiters = new Set<() => void>();
let following: AbortController | undefined;
let isOpen = false;
let isLeading = false;
/** True if data was read while the stream was closed, so that later changes may have been missed. */
let isUnwatched = false;
/** The id of the last change event that any tab's stream has delivered. */
let last: string | undefined;

/** Whether the change stream is open, so that changes arrive as they happen. */
export function isLive(): boolean {
  return isOpen;
}

export function onLive(listener: () => void): () => void {
  liveListeners.add(listener);
  return () => liveListeners.delete(listener);
}

export function onChanges(listener: ChangeListener): () => void {
  changeListeners.add(listener);
  return () => changeListeners.delete(listener);
}

/** Waits until the change stream is open, but at most `longestWait`. */
export async function waitForChangeStream(): Promise<void> {
  if (isOpen) return;
  if (following !== undefined) {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        waiters.delete(done);
        resolve();
      };
      const timer = setTimeout(done, longestWait);
      waiters.add(done);
    });
  }
  if (!isOpen) isUnwatched = true;
}

/** Opens the change stream in one tab; when it closes, another takes over. Ends with the session. */
export function followChanges(): void {
  if (following !== undefined) return;
  const ending = new AbortController();
  following = ending;
  sendToOtherTabs({kind: 'ask-live'});
  const lead = async (): Promise<void> => {
    isLeading = true;
    await keepChangeStreamOpen(ending.signal);
  };
  // Pages from another machine over plain HTTP lack the Web Locks API: each tab opens its own stream.
  const locks: LockManager | undefined = navigator.locks;
  void (locks?.request('standup-stream', {signal: ending.signal}, lead) ?? lead())
    .catch(() => undefined)
    .finally(() => {
      isLeading = false;
      if (following === ending) following = undefined;
    });
}

onSessionEnd(() => {
  following?.abort();
  following = undefined;
  last = undefined;
  setLive(false);
});

onTabMessage((message) => {
  if (message.kind === 'changes') {
    last = message.last;
    notifyChanges(message.changes);
  }
  if (message.kind === 'missed') notifyMissed();
  if (message.kind === 'live' && !isLeading) {
    // This tab's stream starts after the other tab's stream has ended, so changes may be missed.
    isUnwatched = true;
    setLive(message.isLive);
  }
  if (message.kind === 'ask-live' && isLeading) sendToOtherTabs({kind: 'live', isLive: isOpen});
});

async function keepChangeStreamOpen(ending: AbortSignal): Promise<void> {
  for (let failures = 0; !ending.aborted; ) {
    const opened = await openStream('/v1/changes/stream', last, ending).catch(() => undefined);
    if (opened?.status === 410) {
      last = undefined;
      isUnwatched = true;
    }
    if (opened?.ok === true && opened.body !== null) {
      failures = 0;
      if (last === undefined && isUnwatched) notifyListeners('missed');
      isUnwatched = false;
      shareLiveState(true);
      await readChanges(opened.body).catch(() => undefined);
      if (ending.aborted) return;
      // A stream without events gives no id from which to resume, so changes may be missed.
      isUnwatched ||= last === undefined;
      shareLiveState(false);
    } else {
      await opened?.body?.cancel();
      failures += 1;
      // Releases the waiting reads, which continue without the stream.
      for (const done of waiters) done();
    }
    await sleep(computeRetryDelay(failures), ending);
  }
}

/** Reads changes until the stream ends. Throws when the stream was silent for too long, or was cut. */
async function readChanges(body: ReadableStream<Uint8Array>): Promise<void> {
  let waiting: TabChange[] = [];
  const flush = (): void => {
    const changes = waiting;
    waiting = [];
    notifyChanges(changes);
    sendToOtherTabs({kind: 'changes', changes, last});
  };
  const reader = readServerEvents(body);
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return;
    last = value.id ?? last;
    if (waiting.length === 0) setTimeout(flush, gather);
    waiting.push(JSON.parse(value.data) as TabChange);
  }
}

function shareLiveState(live: boolean): void {
  setLive(live);
  sendToOtherTabs({kind: 'live', isLive: live});
}

function setLive(live: boolean): void {
  if (isOpen === live) return;
  isOpen = live;
  if (live) for (const done of waiters) done();
  for (const listener of liveListeners) listener();
}

function notifyListeners(kind: 'missed'): void {
  notifyMissed();
  sendToOtherTabs({kind});
}

function notifyChanges(changes: readonly TabChange[]): void {
  for (const {onChanges: notify} of changeListeners) notify(changes);
}

function notifyMissed(): void {
  for (const {onMissed: notify} of changeListeners) notify();
}
