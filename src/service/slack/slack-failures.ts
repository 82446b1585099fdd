import type {Call} from '../../domain/core/access.js';
import type {Mutate} from '../core/mutation.js';
import type {Id, IdSuffix} from '../../domain/core/ids.js';

/**
 * A standup or a run's report that Slack does not show. `drawn`: of its id; `team`: undefined once it is
 * gone.
 */
export interface Unshown {
  readonly what: 'standup' | 'run';
  readonly drawn: IdSuffix;
  readonly revision: number;
  readonly team: Id<'team'> | undefined;
  /** Slack's code, or ours where Slack says none. */
  readonly reason: string;
}

export interface SlackFailures {
  /** Tells by event that Slack does not show something; once for each idempotency key. */
  reportUnshown: (call: Call, unshown: Unshown) => Promise<void>;
}

const types = {standup: 'slack.post_failed', run: 'slack.report_failed'} as const;

export function createSlackFailures({mutate}: {readonly mutate: Mutate}): SlackFailures {
  return {
    async reportUnshown(call, {what, drawn: about, team, ...told}) {
      const event = {type: types[what], about, ...told, ...(team !== undefined && {team})} as const;
      await mutate(call, async () => ({
        effect: 'release',
        guards: [],
        writes: [],
        events: [event],
        reply: {kind: 'empty'},
      }));
    },
  };
}
