import {type Commit, type CommitPart, joinCommitParts} from '../../domain/commit/commit.js';
import {
  type CreateWrite,
  createWrite,
  type RemovalMode,
  reviseWrite,
  type Write,
} from '../../domain/commit/writes.js';
import {dayNumber, toInstant} from '../../domain/core/dates.js';
import type {EventType} from '../../domain/events/event.js';
import {suffixOf, type IdSuffix} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {type Draft, toDraft} from '../../domain/core/resource.js';
import {graceMs, type MissedStep, type Run} from '../../domain/runs/run.js';
import type {Schedule} from '../../domain/schedules/schedule.js';
import {listRunReminders, type RunSpan} from '../../domain/runs/run-steps.js';
import type {Team} from '../../domain/teams/team.js';
import {type Member, findPromptTime} from '../../domain/workspaces/workspace.js';
import type {Zones} from '../../domain/core/zones.js';
import type {FoundReport} from './run-reports.js';

/**
 * Returns the commit of one step of a team's runs, such as the opening of a run. `team`: the team's id
 * suffix. `asked`: the count of requests that was read before the step was found. The commit fails if it has
 * changed since.
 */
export function makeRunStepCommit(step: CommitPart, team: IdSuffix<'team'>, asked: number): Commit {
  const counted = {
    guards: [{check: 'unasked', team, asked}],
    writes: [{do: 'ask-look', team, after: 'step'}],
  } as const;
  return {...joinCommitParts([counted, step]), reply: {kind: 'empty'}};
}

/** A due step of a team's runs, or the time (ms) at which the next step will be due. */
export type DueStep = {readonly step: CommitPart} | {readonly next: number | undefined};

/** A run that starts, or that was missed. */
export interface RunOpening {
  readonly date: string;
  readonly kind: Run['kind'];
  readonly span: RunSpan;
  readonly schedule: Schedule | null;
  /** The current members of the team. */
  readonly members: readonly Member[];
  /** The earliest time (ms) at which the run could have been opened. */
  readonly dueSince: number;
  /** True if it is too late to open the run, or its team is being paused. */
  readonly isMissed: boolean;
}

/** Opens a run, or records that it was missed. */
export function planOpenRun(
  team: Team,
  opening: RunOpening,
  suffix: IdSuffix<'run'>,
  now: number,
  zones: Zones,
): CommitPart & {readonly created: CreateWrite} {
  const {date, kind, span, schedule, members, dueSince, isMissed} = opening;
  const late = isMissed || now - dueSince >= graceMs;
  const draft: Draft<Run> = {
    object: 'run',
    team: team.slug,
    team_id: team.id,
    date,
    kind,
    state: isMissed ? 'missed' : 'open',
    opens_at: toInstant(span.opens),
    closes_at: toInstant(span.closes),
    opened_at: isMissed ? null : toInstant(now),
    closed_at: null,
    schedule,
    timezone: team.timezone,
    participants: isMissed
      ? []
      : members.map(({id: member, timezone}) => ({
          member,
          timezone: schedule?.clock === 'member' ? timezone : null,
        })),
    missed_steps: late ? [{step: 'open', due_at: toInstant(span.opens)}] : [],
    report: null,
  };
  const [list, day] = [lists.runsOfTeam(team.id), dayNumber(date)];
  const unasked = isMissed ? [] : listUnneededReminderSteps(team, draft, members, zones);
  const types: EventType[] = [
    ...(isMissed ? [] : ['run.opened' as const]),
    ...(late ? ['run.missed' as const] : []),
  ];
  const listings = [{list, day}, ...(isMissed ? [] : [{list: lists.openRunsOfTeam(team.id), day}])];
  const created = createWrite('run', suffix, draft, listings);
  return {
    created,
    guards: [
      {check: 'revision', id: team.id, revision: team.revision},
      {check: 'day-free', list, day},
    ],
    writes: [
      created,
      ...(unasked.length > 0 ? [{do: 'take-steps', run: suffix, steps: unasked} as const] : []),
    ],
    events: types.map((type) => ({type, about: suffix, revision: 1, team: team.id})),
  };
}

/** Lists the reminders due at the opening that no member wants, so that the run reads no members. */
function listUnneededReminderSteps(team: Team, run: Draft<Run>, members: readonly Member[], zones: Zones) {
  const asked = new Set(
    members.filter((member) => findPromptTime(member, team) !== 'before_closing').map(({id}) => id),
  );
  return listRunReminders(run, undefined, zones)
    .filter(({moment, group}) => moment === 'opening' && !group.members.some((id) => asked.has(id)))
    .map(({step}) => step);
}

/** Changes a run, which gets a new revision and emits these events. */
export function planReviseRun(
  run: Run,
  change: Partial<Draft<Run>>,
  types: readonly EventType[],
): CommitPart {
  const {id, revision, team_id: team} = run;
  const suffix = suffixOf(id);
  return {
    guards: [],
    writes: [reviseWrite(run, {...toDraft(run), ...change}, {forEvents: true})],
    events: types.map((type) => ({type, about: suffix, revision: revision + 1, team})),
  };
}

/** Ends a run and removes it from the list of open runs. */
function planEndRun(run: Run, change: Partial<Draft<Run>>, types: readonly EventType[]): CommitPart {
  const part = planReviseRun(run, change, types);
  const list = lists.openRunsOfTeam(run.team_id);
  return {...part, writes: [...part.writes, {do: 'relist', suffix: suffixOf(run.id), from: list, to: null}]};
}

/** Removes the run of a deleted team. A run contains only ids of people, no names. */
export function createRemoveRunWrites({id, revision: from, team_id: team}: Run, how: RemovalMode): Write[] {
  const left = [lists.runsOfTeam(team), lists.openRunsOfTeam(team)];
  return [
    {do: 'remove', how, id, from, lists: left, names: []},
    {do: 'drop-steps', run: suffixOf(id)},
  ];
}

/** Cancels the run of a team that is paused: the run counts for no member. */
export function planCancelRun(run: Run): CommitPart {
  return planEndRun(run, {state: 'cancelled'}, ['run.cancelled']);
}

/** Closes a run at a given time (ms) with this report. The commit fails if a member posts meanwhile. */
export function planCloseRun(run: Run, {references, posts}: FoundReport, now: number): CommitPart {
  const dueAt = Date.parse(run.closes_at);
  const late = now - dueAt >= graceMs;
  const missed: MissedStep[] = late ? [{step: 'close', due_at: run.closes_at}] : [];
  const change = {
    state: 'closed',
    closed_at: toInstant(now),
    missed_steps: [...run.missed_steps, ...missed],
    report: references,
  } as const;
  const part = planEndRun(run, change, late ? ['run.closed', 'run.missed'] : ['run.closed']);
  return {...part, guards: [{check: 'run-posts', run: suffixOf(run.id), count: posts}]};
}
