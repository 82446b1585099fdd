// One stream of changes for all tabs of a browser: over HTTP/1.1 six connections are all that an origin gets.
import {EventSourceParserStream} from 'eventsource-parser/stream';
import {forgetToken, getToken, onSessionEnd} from './session.ts';
import {announce, type Change, hear} from './tabs.ts';

export interface ChangeListener {
  readonly onChanges: (changes: readonly Change[]) => void;
  /** Changes may have been missed. */
  readonly onMissed: () => void;
}

/** The service says at least every 15 s that it is there. */
const silence = 30_000;
/** Changes that come together are told together. */
const gather = 250;

const changeListeners = new Set<ChangeListener>();
const liveListeners = new Set<() => void>();
let isOpen = false;
let isLeading = false;

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

/** One tab of the browser holds the stream; when it goes another takes over. Ends with the session. */
export function followChanges(): () => void {
  const ending = new AbortController();
  const forgetEnd = onSessionEnd(() => ending.abort());
  announce({kind: 'ask-live'});
  void navigator.locks
    .request('standup-stream', {signal: ending.signal}, async () => {
      isLeading = true;
      await follow(ending.signal);
    })
    .catch(() => undefined)
    .finally(() => {
      isLeading = false;
      setLive(false);
    });
  return () => {
    forgetEnd();
    ending.abort();
  };
}

hear((message) => {
  if (message.kind === 'changes') tellChanges(message.changes);
  if (message.kind === 'missed') tellMissed();
  if (message.kind === 'live' && !isLeading) setLive(message.isLive);
  if (message.kind === 'ask-live' && isLeading) announce({kind: 'live', isLive: isOpen});
});

async function follow(ending: AbortSignal): Promise<void> {
  let after: string | undefined;
  for (let failures = 0; !ending.aborted; ) {
    try {
      const opened = await open(after, ending);
      if (opened.status === 410) after = undefined;
      if (opened.body !== null && opened.ok) {
        const isContinued = after !== undefined;
        failures = 0;
        lead(true);
        if (!isContinued) missed();
        after = await readChanges(opened.body, ending, (id) => (after = id)).catch(() => after);
      } else {
        await opened.body?.cancel();
        failures += 1;
      }
    } catch {
      failures += 1;
    }
    lead(false);
    if (!ending.aborted) await pause(Math.min(15_000, 500 * 2 ** Math.min(failures, 5)), ending);
  }
}

async function open(after: string | undefined, ending: AbortSignal): Promise<Response> {
  const token = await getToken();
  const answer = await fetch('/v1/changes/stream', {
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: 'text/event-stream',
      ...(after !== undefined && {'Last-Event-ID': after}),
    },
    cache: 'no-store',
    signal: ending,
  });
  if (answer.status === 401) forgetToken(token);
  return answer;
}

/** Until the stream ends, or is silent for too long. The id of the last change. */
async function readChanges(
  body: ReadableStream<Uint8Array>,
  ending: AbortSignal,
  onId: (id: string) => void,
): Promise<string | undefined> {
  let last: string | undefined;
  let waiting: Change[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    const changes = waiting;
    waiting = [];
    timer = undefined;
    tellChanges(changes);
    announce({kind: 'changes', changes});
  };
  const bytes = body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), {signal: ending});
  const alive = watchSilence(bytes);
  const reader = alive
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  for (;;) {
    const {done, value} = await reader.read();
    if (done) break;
    if (value.id !== undefined) {
      last = value.id;
      onId(value.id);
    }
    waiting.push(JSON.parse(value.data) as Change);
    timer ??= setTimeout(flush, gather);
  }
  return last;
}

/** Fails when nothing comes for too long: a laptop that slept, a proxy that forgot. */
function watchSilence(bytes: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const reader = bytes.getReader();
  return new ReadableStream({
    async pull(controller) {
      timer = setTimeout(() => {
        controller.error(new Error('silence'));
        void reader.cancel();
      }, silence);
      const {done, value} = await reader.read().finally(() => clearTimeout(timer));
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => reader.cancel(),
  });
}

function lead(open: boolean): void {
  setLive(open);
  announce({kind: 'live', isLive: open});
}

function missed(): void {
  tellMissed();
  announce({kind: 'missed'});
}

function setLive(open: boolean): void {
  if (isOpen === open) return;
  isOpen = open;
  for (const listener of liveListeners) listener();
}

function tellChanges(changes: readonly Change[]): void {
  for (const {onChanges: tell} of changeListeners) tell(changes);
}

function tellMissed(): void {
  for (const {onMissed: tell} of changeListeners) tell();
}

function pause(ms: number, ending: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    ending.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
