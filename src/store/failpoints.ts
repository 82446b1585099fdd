import type {Store} from './store.js';

/** A named step at which a test may stop the process; without a test it is never called. */
export type Failpoint = (name: string) => void;

/** The same store with named steps before and after each script that makes something true for good. */
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
    commits: {...commits, run: around('commit', commits.run)},
    deliveries: {
      ...deliveries,
      fanOut: around('fan-out', deliveries.fanOut),
      turn: around('turn', deliveries.turn),
    },
    replays: {...replays, advance: around('replay', replays.advance)},
    slackPosts: {
      ...slackPosts,
      begin: around('slack-mark', slackPosts.begin),
      settle: around('slack-record', slackPosts.settle),
    },
  };
}
