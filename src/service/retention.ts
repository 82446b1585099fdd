import type {Call} from '../domain/access.js';
import {addDays, dayNumber, toInstant} from '../domain/dates.js';
import {lists, placeOf} from '../domain/lists.js';
import {type Standup, standupListings} from '../domain/standup.js';
import type {Mutate} from './mutation.js';
import type {Clock, Records, Workspaces} from './stores.js';

/**
 * Erases a bounded part of what a workspace has kept for longer than it wants to: how much, 0 when there is no more. Without events, which would be
 * very many and tell nobody anything; those that told of it before have no data from then on. Safe to run at any time, also twice at once.
 */
export type PurgeExpired = (call: Call) => Promise<number>;

export interface RetentionParts {
  readonly workspaces: Pick<Workspaces, 'find'>;
  readonly records: Pick<Records, 'list'>;
  readonly mutate: Mutate;
  readonly clock: Clock;
}

/** A standup has up to five keys, and a commit touches at most 200. */
const purgedAtOnce = 35;

export function createPurgeExpired({workspaces, records, mutate, clock}: RetentionParts): PurgeExpired {
  return async function purgeExpired(call) {
    const workspace = await workspaces.find(call.workspace, call.deadline);
    const days = workspace?.retention_days ?? null;
    if (days === null) return 0;
    // Wherever a team is, its day is over then.
    const before = addDays(toInstant(clock.now()).slice(0, 10), -days - 1);
    let erased = 0;
    await mutate(call, async () => {
      const range = {list: lists.standups(), to: placeOf(dayNumber(before), 0), upward: true};
      const found = await records.list(call.workspace, {...range, limit: purgedAtOnce}, call.deadline);
      erased = found.rows.length;
      return {
        commit: {
          effect: 'release',
          guards: [],
          writes: found.rows.map(({json}) => eraseStandup(JSON.parse(json) as Standup)),
          events: [],
          reply: {status: 204},
        },
      };
    });
    return erased;
  };
}

function eraseStandup(standup: Standup) {
  const {id, revision} = standup;
  return {do: 'erase', id, from: revision, lists: standupListings(standup).map(({list}) => list)} as const;
}
