import {
  type Commit,
  type CommitPart,
  emptyCommit,
  type Guard,
  joinCommitParts,
  nothing,
} from '../../domain/commit/commit.js';
import {type Call, systemCall} from '../../domain/core/access.js';
import type {Clock} from '../../domain/core/dates.js';
import {type GenerateSuffix, suffixOf, type Id} from '../../domain/core/ids.js';
import type {Zones} from '../../domain/core/zones.js';
import type {Mutate} from '../core/mutation.js';
import {createFindRunOpenings} from './run-openings.js';
import type {RunPeople} from './run-people.js';
import {planOpenRun, runStepCommit} from './run-plans.js';
import type {Records} from '../../store/core/records.js';
import type {RunSteps} from '../../store/runs/run-steps.js';

/**
 * For a change of the rules by which a team's runs open, or of its members' time zones: does the openings
 * that are due by the old rules, and returns the part that the commit of the change adds. With it the commit
 * succeeds only if no opening has become due since, and the new rules apply from there on. The commit of a
 * pause itself records as missed the openings that were still possible, so that a refused pause misses none.
 */
export type OpenDueRuns = (call: Call, team: Id<'team'>, of: ScheduleChange) => Promise<CommitPart>;

type ScheduleChange = 'rules' | 'pause' | 'clocks';

export interface OpenDueRunsParts {
  readonly mutate: Mutate;
  readonly records: Records;
  readonly runSteps: Pick<RunSteps, 'findLook'>;
  readonly people: Pick<RunPeople, 'listExpected'>;
  readonly clock: Clock;
  readonly zones: Zones;
  readonly generateSuffix: GenerateSuffix;
}

/** The number of openings in one commit: each has up to three keys, and a commit touches at most 200. */
const most = 20;

export function createOpenDueRuns(parts: OpenDueRunsParts): OpenDueRuns {
  const {mutate, records, runSteps, clock, zones, generateSuffix} = parts;
  const lookForOpenings = createFindRunOpenings(parts);

  return async function openDueRuns(call, id, change) {
    const team = suffixOf(id);

    /** The openings to do first; or the part that is left to the commit of the change. */
    async function findDueOpenings(): Promise<{readonly first: Commit} | {readonly left: CommitPart}> {
      const now = clock.now();
      // A clock that has jumped may be corrected: no run is opened or missed because of it.
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
      if (first.length > 0) return {first: runStepCommit(joinCommitParts(first.map(open)), team, asked)};
      const inTime: Guard[] = next === undefined ? [] : [{check: 'before', instant: next}];
      // No guard on the request count: members who join and leave at once do not wait for each other.
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
      // Another process may be quicker: then everything is read again.
      await mutate(systemCall(call), (attempt) => (attempt === 0 ? found.first : emptyCommit));
    }
  };
}
