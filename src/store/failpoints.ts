import type {Commit} from '../domain/commit/commit.js';
import type {Store} from './store.js';

/** A function that a test uses to stop the process at a named step. It does nothing outside of tests. */
export type Failpoint = (name: string) => void;

/** Returns the store with named steps before and after each script that makes a permanent change. */
export function addFailpoints(store: Store, failpoint: Failpoint | undefined): Store {
  if (failpoint === undefined) return store;
  const around = <A extends unknown[], R>(name: string, run: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      failpoint(`before-${name}`);
      const result = await run(...args);
      failpoint(`after-${name}`);
      return result;
    };
  };
  const {commits, deliveries, mails, replays, slackPosts} = store;
  return {
    ...store,
    commits: {
      ...commits,
      run: (terms, commit) => {
        const run = around('commit', commits.run);
        const step = findFailpointName(commit);
        return (step === undefined ? run : around(step, run))(terms, commit);
      },
    },
    deliveries: {
      ...deliveries,
      fanOut: around('fan-out', deliveries.fanOut),
      recordAndClaim: around('turn', deliveries.recordAndClaim),
    },
    replays: {...replays, advance: around('replay', replays.advance)},
    mails: {...mails, claim: around('mail-claim', mails.claim), mark: around('mail-mark', mails.mark)},
    slackPosts: {
      ...slackPosts,
      begin: around('slack-mark', slackPosts.begin),
      recordOutcome: around('slack-record', slackPosts.recordOutcome),
    },
  };
}

/** Returns a commit's name in tests: an event, or what it records without one. */
function findFailpointName({events, writes}: Commit): string | undefined {
  const event = events.find(({type}) => /^(?:run\.|comment\.|standup\.created$)/.test(type));
  if (event !== undefined) return event.type;
  if (writes.some((write) => write.do === 'take-steps')) return 'pass-reminder';
  if (writes.some((write) => write.do === 'record-mail')) return 'mail-record';
  if (writes.some((write) => write.do === 'record-notice')) return 'notice';
  return writes.some((write) => write.do === 'look-again') ? 'look' : undefined;
}
