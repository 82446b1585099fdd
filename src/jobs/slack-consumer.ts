import type {Id} from '../domain/core/ids.js';
import type {EventLog} from '../store/events/event-log.js';
import type {Workspaces} from '../store/workspaces/workspaces.js';

/** How often (ms) Slack is reported as a consumer, and for how many workspaces at once. */
const joinEveryMs = 10_000;
const joinedAtOnce = 100;

export interface SlackConsumerParts {
  readonly events: Pick<EventLog, 'addConsumer'>;
  readonly workspaces: Pick<Workspaces, 'noteSlackServed'>;
  readonly clock: {now: () => number};
  /** The workspaces whose logs are read for Slack. */
  readonly listWorkspaces: (deadline: number) => Promise<readonly Id<'workspace'>[]>;
}

export type JoinSlack = (deadline: number) => Promise<void>;

/**
 * Makes Slack a consumer of the log of each workspace that it shows, as soon as there is one. Repeats its
 * heartbeat: upkeep drops a consumer that no process runs.
 */
export function createSlackConsumer({
  events,
  workspaces,
  clock,
  listWorkspaces,
}: SlackConsumerParts): JoinSlack {
  const joined = new Set<Id<'workspace'>>();
  let lookAt = 0;
  return async (deadline) => {
    // Uses the clock by which upkeep drops consumers, however that jumps.
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
