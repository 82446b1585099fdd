import {deadlines} from '../../../domain/core/limits.js';
import type {Log} from '../../../domain/core/log.js';
import type {Work} from '../../../domain/core/work.js';
import type {SlackInstallations} from '../../../service/slack/slack-installations.js';
import type {Store} from '../../../store/store.js';

/** The time (ms) between two signs of life. */
const everyMs = 60_000;

/** The shortest time (ms) without a process for Slack's events after which threads are read. */
const awayMs = 5 * 60_000;

/** The most calls of Slack in one workspace after an absence. */
const mostCalls = 100;

/**
 * Notes each minute that this process takes Slack's events. After an absence it asks for the replies of that time,
 * before it notes that the absence is over.
 */
export function createAttendance({
  workspaces,
  ready,
  installations,
  isConnected,
  now,
  log,
}: {
  readonly workspaces: Pick<Store['workspaces'], 'findSlackHeard' | 'noteSlackHeard'>;
  readonly ready: Pick<Store['ready'], 'reschedule'>;
  readonly installations: Pick<SlackInstallations, 'listWorkspaces'>;
  readonly isConnected: () => boolean;
  readonly now: () => number;
  readonly log: Log;
}) {
  async function note(): Promise<void> {
    if (!isConnected()) return;
    try {
      const at = now();
      const last = await workspaces.findSlackHeard(within());
      if (last !== undefined && at - last >= awayMs) {
        const rest = {past: undefined, left: mostCalls, after: ''};
        const work: Work = {kind: 'read-replies', since: last, ...rest};
        for await (const page of installations.listWorkspaces(within))
          await Promise.all(page.map((workspace) => ready.reschedule(workspace, work, at, within())));
      }
      await workspaces.noteSlackHeard(at, within());
    } catch (error) {
      log.warn({error: String(error)}, 'could not note that Slack is heard');
    }
  }

  const timer = setInterval(() => void note(), everyMs).unref();
  void note();
  return {note, close: () => clearInterval(timer)};
}

function within(): number {
  return performance.now() + deadlines.job;
}
