import type {Log} from '../domain/core/log.js';
import type {Store} from '../store/store.js';
import {callDeadline} from './context.js';

/** The time (ms) between two heartbeats, so the longest time until a process knows of a new data format. */
const signOfLifeMs = 2_000;
/** The time (ms) that a process that stops waits for the store. */
const leaveMs = 1_000;

/** A process as `standup-admin data upgrade` names it. */
interface PresentProcess {
  readonly holder: string;
  readonly version: string;
  /** The host and the number of the process. */
  readonly location: string;
}

/**
 * Tells others that this process runs, and which data formats it reads. `onOutdated` is called once, when the
 * data was raised to a format that this process does not read: it must then stop, and write nothing more.
 */
export function startPresence(
  {store: {processes, formats}, log}: {readonly store: Store; readonly log: Log},
  {holder, ...self}: PresentProcess,
  onOutdated: () => void,
): {close: () => Promise<void>} {
  let isOutdated = false;

  async function sendHeartbeat(): Promise<void> {
    try {
      const format = await processes.note(holder, self, callDeadline());
      if (isOutdated || format === undefined || formats.reads.includes(format)) return;
      isOutdated = true;
      log.error(
        {format, reads: formats.reads.join(',')},
        'the data was raised to a format that this version does not read, so this process stops: start the newer version in its place',
      );
      onOutdated();
    } catch (error) {
      log.debug({reason: String(error)}, 'could not send a heartbeat');
    }
  }

  void sendHeartbeat();
  const timer = setInterval(() => void sendHeartbeat(), signOfLifeMs).unref();
  return {
    async close() {
      clearInterval(timer);
      // If the store is away, the entry counts for a minute.
      await processes.leave(holder, performance.now() + leaveMs).catch(() => undefined);
    },
  };
}
