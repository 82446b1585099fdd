import {
  type Commit,
  type CommitPart,
  emptyCommit,
  type Guard,
  joinCommitParts,
  nothing,
} from '../../domain/commit/commit.js';
import {type Call, createCallByService} from '../../domain/core/access.js';
import {suffixOf, type Id} from '../../domain/core/ids.js';
import type {ServiceContext} from '../core/context.js';
import {createRunOpeningFinder} from './run-openings.js';
import {planOpenRun, makeRunStepCommit} from './run-plans.js';

type ScheduleChange = 'rules' | 'pause' | 'clocks';

/** The number of runs opened by one commit: each has up to three keys, and a commit touches at most 200. */
const most = 20;

/**
 * Prepares a change of the rules by which a team's runs open, or of its members' time zones. Opens the runs
 * that are due by the old rules, and returns the part that must be added to the commit of the change. That
 * commit then fails if another run has become due meanwhile, and the new rules apply from there on.
 * A pause opens no run: its own commit records the due runs as missed, so that a refused pause misses none.
 */
export function createDueRunOpener(context: ServiceContext) {
  const {mutate, records, runSteps, clock, zones, generateSuffix} = context;
  const lookForOpenings = createRunOpeningFinder(context);

  return async function openDueRuns(call: Call, id: Id<'team'>, change: ScheduleChange): Promise<CommitPart> {
    const team = suffixOf(id);

    /** Returns the runs to open first, or the part that is left for the commit of the change. */
    async function findDueOpenings(): Promise<{readonly first: Commit} | {readonly left: CommitPart}> {
      const now = clock.now();
      // A clock that has just jumped may be corrected soon. So no run is opened, or recorded as missed,
      // because of it.
      if (!clock.isSteady()) return {left: {...nothing, writes: [{do: 'ask-look', team}]}};
      const {asked, from} = (await runSteps.findLook(call.workspace, team, call.deadline)) ?? {
        asked: 0,
        from: now,
      };
      const found = await records.findBySuffix(call.workspace, team, call.deadline);
      if (found === undefined) return {left: nothing};
      const {due, next} = await lookForOpenings(call, found, {from, now, most});
      const open = (opening: (typeof due)[number]) =>
        planOpenRun(found, opening, generateSuffix(), now, zones);
      const first = change === 'pause' ? due.filter(({isMissed}) => isMissed) : due;
      if (first.length > 0) return {first: makeRunStepCommit(joinCommitParts(first.map(open)), team, asked)};
      const inTime: Guard[] = next === undefined ? [] : [{check: 'before', instant: next}];
      // There is no guard on the request count, so that members who join or leave at the same time need not
      // wait for each other.
      if (change === 'clocks') return {left: {...nothing, guards: inTime, writes: [{do: 'ask-look', team}]}};
      const lookRequest: CommitPart = {
        guards: [{check: 'unasked', team, asked}, ...inTime],
        writes: [{do: 'ask-look', team, after: 'settled'}],
        events: [],
      };
      return {left: joinCommitParts([...due.map((one) => open({...one, isMissed: true})), lookRequest])};
    }

    for (;;) {
      const found = await findDueOpenings();
      if ('left' in found) return found.left;
      // If another process was faster, everything is read again.
      await mutate(createCallByService(call), async (attempt) => (attempt === 0 ? found.first : emptyCommit));
    }
  };
}
