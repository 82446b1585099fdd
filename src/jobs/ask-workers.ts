// Background work: turns, the gate that they pass, the queue, and a handler for each kind of work.
// Jobs carry wake-ups and time; the store holds the truth. Nothing here decides what a standup or a webhook may do.
import type {Log} from '../domain/core/log.js';
import {sideOf, type Work, workName} from '../domain/core/work.js';
import type {RawClient, TurnQueue} from './turn-queue.js';
import type {Id} from '../domain/core/ids.js';

export interface AskParts {
  /** Called when there is something to ask for the first time. */
  readonly createClient: () => RawClient;
  /** Whether this installation has Slack. */
  readonly slack: boolean;
  readonly log: Log;
}

export interface AskWorkers {
  /** There is new work: a process that works is asked to look. */
  wake: (workspace: Id<'workspace'>, work: Work) => void;
  close: () => Promise<void>;
}

/** The same is asked for once in this time (ms), at once and then at its end: each commit has a turn to ask for. */
const askEveryMs = 50;
/** A queue that is away answers nothing: beyond so much nothing is asked for, and the pump finds it. */
const maxAsked = 1_000;

/**
 * How a process that runs no turns asks for them. The queue is loaded and connected for the first of them, so a
 * process that only serves starts without it. What is asked for and lost is found by a worker's pump.
 */
export function createAskWorkers({createClient, slack, log}: AskParts): AskWorkers {
  /** What is asked for at the moment; true: once more afterwards. */
  const asked = new Map<string, boolean>();
  let opening: Promise<TurnQueue> | undefined;
  let client: RawClient | undefined;
  let queue: TurnQueue | undefined;
  let closed = false;

  async function openQueue(): Promise<TurnQueue> {
    const {createTurnQueue} = await import('./turn-queue.js');
    client = createClient();
    await client.connect();
    queue = createTurnQueue({client, log});
    return queue;
  }

  async function ask(key: string, workspace: Id<'workspace'>, work: Work): Promise<void> {
    try {
      do {
        asked.set(key, false);
        opening ??= openQueue();
        (await opening).add(workspace, work);
        await new Promise((resolve) => setTimeout(resolve, askEveryMs).unref());
      } while (asked.get(key) === true);
    } catch (error) {
      opening = undefined;
      log.debug({reason: String(error)}, 'the queue is away');
    } finally {
      asked.delete(key);
    }
  }

  return {
    wake(workspace, work) {
      if (closed || (!slack && sideOf(work) === 'slack')) return;
      const key = `${workspace} ${workName(work)}`;
      if (asked.has(key)) asked.set(key, true);
      else if (asked.size < maxAsked) void ask(key, workspace, work);
    },
    async close() {
      closed = true;
      if (queue !== undefined) await queue.close();
      else if (client?.isOpen === true) client.destroy();
    },
  };
}
