import {type EventReader, openEvents} from '../support/event-reader.js';
import {type Json, sendRequest} from '../support/service.js';

/**
 * A client that follows the log, as docs/api.md tells it to, and begins anew when it is told that its place
 * is gone.
 */
export interface LogReader {
  /** What it takes the log to be: JSON of each event, in order. */
  readonly events: () => readonly string[];
  /** How often it was told to begin anew. */
  readonly restarts: () => number;
  stop(): Promise<void>;
}

export interface LogReaderOptions {
  readonly urls: readonly string[];
  readonly token: string;
}

const pauseMs = 50;

/** Asks the processes in turn for the next page of the feed. */
export function followFeed({urls, token}: LogReaderOptions): LogReader {
  const reader = createFeed({urls, token});
  return run(reader.state, async () => {
    if (!(await reader.step())) await pause();
  });
}

/** Holds a stream of one process after the other; begins with the feed. */
export function followStream({urls, token}: LogReaderOptions): LogReader {
  const feed = createFeed({urls, token});
  const {state} = feed;
  let turn = 0;
  let lastId: string | undefined;
  let isAtEnd = false;
  let open: EventReader | undefined;

  async function step(): Promise<void> {
    if (!isAtEnd) {
      const hasMore = await feed.step();
      lastId = undefined;
      // After a refusal of the first page there is no place to go on from.
      isAtEnd = !hasMore && feed.cursor() !== undefined;
      if (!hasMore && !isAtEnd) await pause();
      return;
    }
    turn += 1;
    const url = urls[turn % urls.length] ?? '';
    const query = lastId === undefined ? `?after=${feed.cursor()}` : '';
    open = await openEvents(url, {token, query, lastEventId: lastId});
    const reader = open;
    let taken = 0;
    const take = (): void => {
      for (; taken < reader.events.length; taken++) {
        state.events.push(reader.events[taken]?.data ?? '');
        lastId = reader.events[taken]?.id;
      }
    };
    if (reader.status === 410) {
      feed.restart();
      isAtEnd = false;
    } else if (reader.status === 200) {
      let ended = false;
      void reader.ended.then(() => (ended = true));
      while (!ended && !state.stopping) {
        take();
        await pause();
      }
      take();
    } else {
      await pause();
    }
    reader.cut();
  }

  return run(state, step);
}

interface State {
  events: string[];
  restarts: number;
  stopping: boolean;
}

function createFeed({urls, token}: LogReaderOptions) {
  const state: State = {events: [], restarts: 0, stopping: false};
  let cursor: string | undefined;
  let turn = 0;

  function restart(): void {
    state.restarts += 1;
    state.events = [];
    cursor = undefined;
  }

  return {
    state,
    restart,
    cursor: () => cursor,
    /** Reads a page; false when it was not full, or there was none. */
    async step(): Promise<boolean> {
      turn += 1;
      const query = `?limit=100${cursor === undefined ? '' : `&cursor=${cursor}`}`;
      const {status, body} = await sendRequest(urls[turn % urls.length] ?? '', 'GET', `/v1/events${query}`, {
        token,
      });
      if (status === 410) restart();
      if (status !== 200) return status === 410;
      for (const event of body.data as Json[]) state.events.push(JSON.stringify(event));
      cursor = body.next_cursor;
      return body.has_more;
    },
  };
}

function run(state: State, step: () => Promise<void>): LogReader {
  const running = (async () => {
    // A process that is cut off answers nothing; that is no end.
    while (!state.stopping) await step().catch(pause);
  })();
  return {
    events: () => state.events,
    restarts: () => state.restarts,
    async stop() {
      state.stopping = true;
      await running;
    },
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pauseMs));
}
