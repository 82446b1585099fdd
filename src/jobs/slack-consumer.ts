import type {Id} from '../domain/core/ids.js';
import type {Store} from '../store/store.js';

/** The interval (ms) of the heartbeat that events are read for Slack, and workspaces at a time. */
const joinEveryMs = 10_000;
const joinedAtOnce = 100;

export type JoinSlack = (deadline: number) => Promise<void>;

/**
 * Registers Slack as a reader of the event log in each workspace with Slack. The registration is repeated,
 * because maintenance removes a reader that no process serves.
 */
export function createSlackConsumer(
  {events, workspaces, clock}: Store,
  listWorkspaces: (deadline: number) => Promise<readonly Id<'workspace'>[]>,
): JoinSlack {
  const joined = new Set<Id<'workspace'>>();
  let lookAt = 0;
  return async (deadline) => {
    // Maintenance decides by the same clock when it removes a reader, even if the clock jumps.
    const now = clock.now();
    const looksAtAll = now >= lookAt || now < lookAt - joinEveryMs;
    if (looksAtAll) await workspaces.noteSlackServed(deadline);
    const all = await listWorkspaces(deadline);
    const some = looksAtAll ? all : all.filter((workspace) => !joined.has(workspace));
    for (let i = 0; i < some.length; i += joinedAtOnce) {
      const portion = some.slice(i, i + joinedAtOnce);
      await Promise.all(portion.map((workspace) => events.addConsumer(workspace, 'slack', deadline)));
      for (const workspace of portion) joined.add(workspace);
    }
    if (looksAtAll) lookAt = now + joinEveryMs;
  };
}
