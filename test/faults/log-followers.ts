import {type EventStreamClient, openEvents} from '../support/event-stream-client.js';
import {type Json, sendRequest} from '../support/service.js';

/**
 * A client that follows the log as docs/api.md describes. The client starts again when its cursor has
 * expired.
 */
export interface LogFollower {
  /** The log as the client has read it: the JSON of each event, in order. */
  readonly events: () => readonly string[];
  /** Number of times that the client had to start again. */
  readonly restarts: () => number;
  stop(): Promise<void>;
}

export interface LogFollowerOptions {
  readonly urls: readonly string[];
  readonly token: string;
}

const pauseMs = 50;

/** Follows the feed of events. The next page is requested from the next process. */
export function followFeed({urls, token}: LogFollowerOptions): LogFollower {
  const feed = createFeed({urls, token});
  return run(feed.state, async () => {
    if (!(await feed.step())) await pause();
  });
}

/** Follows the event stream of one process after another, beginning with the feed. */
export function followStream({urls, token}: LogFollowerOptions): LogFollower {
  const feed = createFeed({urls, token});
  const {state} = feed;
  let round = 0;
  let lastId: string | undefined;
  let isAtEnd = false;
  let open: EventStreamClient | undefined;

  async function step(): Promise<void> {
    if (!isAtEnd) {
      const hasMore = await feed.step();
      lastId = undefined;
      // After a refusal of the first page there is no cursor.
      isAtEnd = !hasMore && feed.cursor() !== undefined;
      if (!hasMore && !isAtEnd) await pause();
      return;
    }
    round += 1;
    const url = urls[round % urls.length] ?? '';
    const query = lastId === undefined ? `?after=${feed.cursor()}` : '';
    open = await openEvents(url, {token, query, lastEventId: lastId});
    const client = open;
    let taken = 0;
    const take = (): void => {
      for (; taken < client.events.length; taken++) {
        state.events.push(client.events[taken]?.data ?? '');
        lastId = client.events[taken]?.id;
      }
    };
    if (client.status === 410) {
      feed.restart();
      isAtEnd = false;
    } else if (client.status === 200) {
      let ended = false;
      void client.ended.then(() => (ended = true));
      while (!ended && !state.stopping) {
        take();
        await pause();
      }
      take();
    } else {
      await pause();
    }
    client.cut();
  }

  return run(state, step);
}

interface LogFollowerState {
  events: string[];
  restarts: number;
  stopping: boolean;
}

function createFeed({urls, token}: LogFollowerOptions) {
  const state: LogFollowerState = {events: [], restarts: 0, stopping: false};
  let cursor: string | undefined;
  let round = 0;

  function restart(): void {
    state.restarts += 1;
    state.events = [];
    cursor = undefined;
  }

  return {
    state,
    restart,
    cursor: () => cursor,
    /** Reads a page. Returns false if there was none, or if it was not full. */
    async step(): Promise<boolean> {
      round += 1;
      const query = `?limit=100${cursor === undefined ? '' : `&cursor=${cursor}`}`;
      const {status, body} = await sendRequest(urls[round % urls.length] ?? '', 'GET', `/v1/events${query}`, {
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

function run(state: LogFollowerState, step: () => Promise<void>): LogFollower {
  const running = (async () => {
    // An unreachable process throws an error, after which the next step follows.
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
