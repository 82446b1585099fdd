import type {Log} from '../domain/core/log.js';
import {findWorkSide, type Work, workName} from '../domain/core/work.js';
import type {RawClient, WorkQueue} from './work-queue.js';
import type {Id} from '../domain/core/ids.js';

/** Each work is requested at most once in this time (ms), and once at its end. */
const askEveryMs = 50;
/** The largest number of open requests. Without answers of the queue, the scheduler finds the work. */
const maxAsked = 1_000;

/**
 * Requests work for a process that does none itself. The queue is loaded and connected at the first request,
 * so the process starts without it. If a request is lost, a worker's scheduler finds the work. `slack`: true
 * if this installation has Slack.
 */
export function createWorkRequester({
  createClient,
  slack,
  log,
}: {
  readonly createClient: () => RawClient;
  readonly slack: boolean;
  readonly log: Log;
}) {
  /** The current requests by name. The value is true when another request must follow. */
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
    /** Tells a worker process that there is new work. */
    wake(workspace: Id<'workspace'>, work: Work): void {
      if (closed || (!slack && findWorkSide(work) === 'slack')) return;
      const key = `${workspace} ${workName(work)}`;
      if (asked.has(key)) asked.set(key, true);
      else if (asked.size < maxAsked) void requestWork(key, workspace, work);
    },
    async close(): Promise<void> {
      closed = true;
      if (queue !== undefined) await queue.close();
      else if (client?.isOpen === true) client.destroy();
    },
  };
}
