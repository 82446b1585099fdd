import {AppError} from '../domain/core/errors.js';
import type {ReadCalendarFile, ReadWorkspaceCalendarFile} from '../domain/absences/holidays.js';
import type {Id} from '../domain/core/ids.js';
import {createThread} from './thread.js';

/** The time limit for a file. It is about twenty times as long as the most costly valid file takes. */
const usualDeadlineMs = 1_000;

/** The largest number of files in the whole process that may wait while one is being read. */
const mostWaiting = 8;

/** The most files of one workspace that wait or are read, so that others wait for no more. */
const mostOfOne = 2;

export interface CalendarReader {
  readonly readCalendarFile: ReadWorkspaceCalendarFile;
  close: () => Promise<void>;
}

/**
 * Reads calendar files one after the other in a thread. A file that takes too long is refused, and the thread
 * is ended. The start of the thread does not count towards the time limit, because it is slow on a busy host.
 */
export function createCalendarReader(deadlineMs = usualDeadlineMs): CalendarReader {
  const thread = createThread<{
    load: {readonly about: []; readonly answer: null};
    read: {
      readonly about: Parameters<ReadCalendarFile>;
      readonly answer: Awaited<ReturnType<ReadCalendarFile>>;
    };
  }>(new URL('./calendar-file-worker.mjs', import.meta.url));
  let before: Promise<unknown> = Promise.resolve();
  const waiting: Id<'workspace'>[] = [];

  const read: ReadCalendarFile = async (...about) => {
    await thread.ask('load');
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      void thread.close();
    }, deadlineMs);
    try {
      return await thread.ask('read', ...about);
    } catch (error) {
      if (late)
        return {error: 'takes too long to read: it has too many events, or rules that repeat too often'};
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    async readCalendarFile(workspace, ...about) {
      const own = waiting.filter((one) => one === workspace).length;
      if (own >= mostOfOne || waiting.length > mostWaiting) {
        const scope = own >= mostOfOne ? ' of this workspace' : '';
        throw new AppError(
          'service_unavailable',
          `Other calendar files${scope} are being read. Try again in a moment.`,
        );
      }
      waiting.push(workspace);
      const reading = before.then(() => read(...about));
      before = reading.catch(() => undefined);
      return reading.finally(() => void waiting.splice(waiting.indexOf(workspace), 1));
    },
    close: () => thread.close(),
  };
}
