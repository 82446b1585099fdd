import type {Commit} from '../domain/commit/commit.js';
import type {Store} from './store.js';

/** A named step at which a test may stop the process; never called outside tests. */
export type Failpoint = (name: string) => void;

/** The same store with named steps before and after each script that makes a permanent change. */
export function withFailpoints(store: Store, failpoint: Failpoint | undefined): Store {
  if (failpoint === undefined) return store;
  const around = <A extends unknown[], R>(name: string, run: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      failpoint(`before-${name}`);
      const result = await run(...args);
      failpoint(`after-${name}`);
      return result;
    };
  };
  const {commits, deliveries, replays, slackPosts} = store;
  return {
    ...store,
    commits: {
      ...commits,
      run: (terms, commit) => {
        const run = around('commit', commits.run);
        const step = failpointNameOf(commit);
        return (step === undefined ? run : around(step, run))(terms, commit);
      },
    },
    deliveries: {
      ...deliveries,
      fanOut: around('fan-out', deliveries.fanOut),
      recordAndClaim: around('turn', deliveries.recordAndClaim),
    },
    replays: {...replays, advance: around('replay', replays.advance)},
    slackPosts: {
      ...slackPosts,
      begin: around('slack-mark', slackPosts.begin),
      recordOutcome: around('slack-record', slackPosts.recordOutcome),
    },
  };
}

/**
 * The name of a scheduling commit: `run.opened`, `run.reminded` and the like, `pass-reminder` for a reminder
 * without recipients, `look`; and `standup.created`, the commit of a post.
 */
function failpointNameOf({events, writes}: Commit): string | undefined {
  const event = events.find(({type}) => type.startsWith('run.') || type === 'standup.created');
  if (event !== undefined) return event.type;
  if (writes.some((write) => write.do === 'take-steps')) return 'pass-reminder';
  return writes.some((write) => write.do === 'look-again') ? 'look' : undefined;
}
