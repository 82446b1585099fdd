// One stream of changes for all tabs of a browser: over HTTP/1.1 six connections are all that an origin gets.
import {openStream, pause, pauseAfter, readServerEvents} from './server-events.ts';
import {onSessionEnd} from './session.ts';
import {announce, type Change, hear} from './tabs.ts';

export interface ChangeListener {
  readonly onChanges: (changes: readonly Change[]) => void;
  /** Changes may have been missed. */
  readonly onMissed: () => void;
}

/** Changes that come together are told together. */
const gather = 100;
/** How long a read waits for the stream, in ms; then what it shows is read again once the stream is there. */
const longestWait = 1_000;

const changeListeners = new Set<ChangeListener>();
const liveListeners = new Set<() => void>();
const waiters = new Set<() => void>();
let following: AbortController | undefined;
let isOpen = false;
let isLeading = false;
/** Something was read that no stream watched over. */
let isUnwatched = false;
/** The event of the last change, of whichever tab's stream. */
let last: string | undefined;

/** Whether changes come in as they happen. */
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

/** Until changes come in, but not for long. */
export async function untilFollowing(): Promise<void> {
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

/** One tab of the browser holds the stream; when it goes another takes over. Ends with the session. */
export function followChanges(): void {
  if (following !== undefined) return;
  const ending = new AbortController();
  following = ending;
  announce({kind: 'ask-live'});
  const lead = async (): Promise<void> => {
    isLeading = true;
    await follow(ending.signal);
  };
  // Locks are missing where a page comes by plain http from another machine: each tab holds a stream then.
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

hear((message) => {
  if (message.kind === 'changes') {
    last = message.last;
    tellChanges(message.changes);
  }
  if (message.kind === 'missed') tellMissed();
  if (message.kind === 'live' && !isLeading) {
    // Its own stream would begin later than that of the other tab ended.
    isUnwatched = true;
    setLive(message.isLive);
  }
  if (message.kind === 'ask-live' && isLeading) announce({kind: 'live', isLive: isOpen});
});

async function follow(ending: AbortSignal): Promise<void> {
  for (let failures = 0; !ending.aborted; ) {
    const opened = await openStream('/v1/changes/stream', last, ending).catch(() => undefined);
    if (opened?.status === 410) {
      last = undefined;
      isUnwatched = true;
    }
    if (opened?.ok === true && opened.body !== null) {
      failures = 0;
      if (last === undefined && isUnwatched) tellAll('missed');
      isUnwatched = false;
      leadLive(true);
      await readChanges(opened.body).catch(() => undefined);
      if (ending.aborted) return;
      // Without an event to go on after, something may happen before the next stream.
      isUnwatched ||= last === undefined;
      leadLive(false);
    } else {
      await opened?.body?.cancel();
      failures += 1;
      // Reads that wait go on without it.
      for (const done of waiters) done();
    }
    await pause(pauseAfter(failures), ending);
  }
}

/** Until the stream ends. Errors: it was silent for too long, or cut. */
async function readChanges(body: ReadableStream<Uint8Array>): Promise<void> {
  let waiting: Change[] = [];
  const flush = (): void => {
    const changes = waiting;
    waiting = [];
    tellChanges(changes);
    announce({kind: 'changes', changes, last});
  };
  const reader = readServerEvents(body);
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return;
    last = value.id ?? last;
    if (waiting.length === 0) setTimeout(flush, gather);
    waiting.push(JSON.parse(value.data) as Change);
  }
}

function leadLive(live: boolean): void {
  setLive(live);
  announce({kind: 'live', isLive: live});
}

function setLive(live: boolean): void {
  if (isOpen === live) return;
  isOpen = live;
  if (live) for (const done of waiters) done();
  for (const listener of liveListeners) listener();
}

function tellAll(kind: 'missed'): void {
  tellMissed();
  announce({kind});
}

function tellChanges(changes: readonly Change[]): void {
  for (const {onChanges: tell} of changeListeners) tell(changes);
}

function tellMissed(): void {
  for (const {onMissed: tell} of changeListeners) tell();
}
