// Background work: the slices of work, the gate that admits them, the queue, and a handler for each kind of
// work. Jobs carry wake-ups and time; the store holds the data. No code here decides what a standup or a
// webhook may do.
import type {Log} from '../domain/core/log.js';
import {sideOf, type Work, workName} from '../domain/core/work.js';
import type {RawClient, WorkQueue} from './work-queue.js';
import type {Id} from '../domain/core/ids.js';

export interface AskParts {
  /** Called for the first request. */
  readonly createClient: () => RawClient;
  /** Whether this installation has Slack. */
  readonly slack: boolean;
  readonly log: Log;
}

export interface AskWorkers {
  /** Announces new work: a worker process is asked to look. */
  wake: (workspace: Id<'workspace'>, work: Work) => void;
  close: () => Promise<void>;
}

/**
 * The same slice is requested at most once in this time (ms), at the start and again at the end: every commit
 * has one to request.
 */
const askEveryMs = 50;
/**
 * An unavailable queue gives no answers: beyond this number no slice is requested, and the scheduler finds
 * the work.
 */
const maxAsked = 1_000;

/**
 * Requests slices of work for a process that runs none. The queue is loaded and connected for the first
 * request, so a process that only serves starts without it. The scheduler of a worker finds the work of lost
 * requests.
 */
export function createWorkRequester({createClient, slack, log}: AskParts): AskWorkers {
  /** The current requests; true when another one must follow. */
  const asked = new Map<string, boolean>();
  let opening: Promise<WorkQueue> | undefined;
  let client: RawClient | undefined;
  let queue: WorkQueue | undefined;
  let closed = false;

  async function openQueue(): Promise<WorkQueue> {
    const {createWorkQueue} = await import('./work-queue.js');
    client = createClient();
    await client.connect();
    queue = createWorkQueue({client, log});
    return queue;
  }

  async function requestWork(key: string, workspace: Id<'workspace'>, work: Work): Promise<void> {
    try {
      do {
        asked.set(key, false);
        opening ??= openQueue();
        (await opening).add(workspace, work);
        await new Promise((resolve) => setTimeout(resolve, askEveryMs).unref());
      } while (asked.get(key) === true);
    } catch (error) {
      opening = undefined;
      log.debug({reason: String(error)}, 'the queue is unavailable');
    } finally {
      asked.delete(key);
    }
  }

  return {
    wake(workspace, work) {
      if (closed || (!slack && sideOf(work) === 'slack')) return;
      const key = `${workspace} ${workName(work)}`;
      if (asked.has(key)) asked.set(key, true);
      else if (asked.size < maxAsked) void requestWork(key, workspace, work);
    },
    async close() {
      closed = true;
      if (queue !== undefined) await queue.close();
      else if (client?.isOpen === true) client.destroy();
    },
  };
}
