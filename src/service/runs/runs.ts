import type {Commit} from '../../domain/commit/commit.js';
import type {Call} from '../../domain/core/access.js';
import {parseInstant, toInstant} from '../../domain/core/dates.js';
import {AppError, fieldError} from '../../domain/core/errors.js';
import {suffixOf, type Id} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import type {Run} from '../../domain/runs/run.js';
import type {RequestedReminder} from '../../domain/runs/requested-reminder.js';
import {askedStep, groupParticipantsByTimes} from '../../domain/runs/run-steps.js';
import type {Team} from '../../domain/teams/team.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import type {Answer} from '../core/answers.js';
import {createRunAdvancer} from './advance-runs.js';
import {createReminderReach, type ReminderReach} from './reminder-reach.js';
import {createRunPeople, type MissingMember} from './run-people.js';
import {listRuns} from './run-looks.js';
import {planOpenRun} from './run-plans.js';
import {requireTeam} from './run-views.js';

/** The duration of a run opened by hand: until a time, or in minutes; by default one hour. */
export interface NewRun {
  readonly closes_at?: string | undefined;
  readonly minutes?: number | undefined;
}

export type Runs = ReturnType<typeof createRuns>;

const minuteMs = 60_000;
const defaultMinutes = 60;
/** The minimum time between two requested reminders. */
const askedEveryMs = 5 * minuteMs;

export function createRuns(context: ServiceContext) {
  const {mutate, authority, records, teams, runSteps, clock, zones, generateSuffix} = context;
  const runPeople = createRunPeople(context);
  const advanceRuns = createRunAdvancer(context);
  const findReach = createReminderReach(context);

  async function planManualRun(call: Call, reference: string, input: NewRun): Promise<Commit> {
    const team = await requireTeam(teams, call, reference);
    const proof = await authority.requireLead(call, team, 'open a run');
    const now = clock.now();
    const closes = computeClosingTime(input, now);
    if (team.paused) {
      throw new AppError(
        'team_paused',
        `The team "${team.slug}" is paused: no run opens until it is resumed.`,
      );
    }
    const date = zones.dayIn(team.timezone, now);
    const [known] = await listRuns(records, call, lists.runsOfTeam(team.id), date);
    if (known?.date === date) throw createRunExistsError(known);
    const members = await runPeople.listExpected(call, team.id);
    const span = {opens: now, opensLast: now, closes};
    const suffix = generateSuffix();
    const opening = {
      date,
      kind: 'ad_hoc',
      span,
      schedule: null,
      members,
      dueSince: now,
      isMissed: false,
    } as const;
    const {created, guards, writes, events} = planOpenRun(team, opening, suffix, now, zones);
    return {
      guards: [...proof, ...guards],
      writes: [...writes, {do: 'ask-look', team: suffixOf(team.id)}],
      events,
      reply: {kind: 'resource', of: created},
    };
  }

  async function planRemind(call: Call, reference: string): Promise<Commit> {
    const team = await requireTeam(teams, call, reference);
    const proof = await authority.requireLead(call, team, 'remind its people');
    const now = clock.now();
    const runs = (await listRuns(records, call, lists.openRunsOfTeam(team.id))).filter(
      ({closes_at: closes}) => now < Date.parse(closes),
    );
    const latest = runs.at(-1);
    if (latest === undefined) {
      throw new AppError(
        'no_open_run',
        `No run of the team "${team.slug}" is open, so there is no one to remind. POST /v1/teams/${team.slug}/runs opens one.`,
      );
    }
    const [reachOf, found] = await Promise.all([
      findReach(call),
      Promise.all(runs.map((run) => findMembersToRemind(call, run, now))),
    ]);
    const asked = Math.max(...found.map((one) => one.asked ?? Number.NEGATIVE_INFINITY));
    if (now - asked < askedEveryMs) throw createRemindedTooSoonError(team, asked + askedEveryMs - now);
    const shown: RequestedReminder = {
      object: 'reminder',
      run: latest.id,
      team: team.slug,
      team_id: team.id,
      date: latest.date,
      ...sortByReminder(
        found.flatMap(({missing}) => missing),
        reachOf,
      ),
    };
    return {
      guards: [...proof, ...runs.map(({id, revision}) => ({check: 'revision', id, revision}) as const)],
      writes: [
        ...runs.map(({id}) => {
          const after = now - askedEveryMs;
          return {do: 'take-steps', run: suffixOf(id), steps: [askedStep], after} as const;
        }),
        {do: 'ask-look', team: suffixOf(team.id)},
      ],
      events: [],
      reply: {kind: 'inline', accepted: true, body: JSON.stringify(shown)},
    };
  }

  /** Returns the members to remind of an open run now, and the time (ms) of the last request. */
  async function findMembersToRemind(call: Call, run: Run, now: number) {
    const open = groupParticipantsByTimes(run, zones).filter(
      (group) => group.opens <= now && now < group.closes,
    );
    const [[asked], ...missing] = await Promise.all([
      runSteps.findTaken(call.workspace, suffixOf(run.id), [askedStep], call.deadline),
      ...open.map((group) => runPeople.listMissing(call, run, group, now)),
    ]);
    return {asked, missing: missing.flat()};
  }

  return {
    /**
     * Opens a run for today outside the schedule. Errors: `forbidden` except for leads, `run_exists` if the
     * day has a run already, `team_paused`.
     */
    openRun: (call: Call, team: string, input: NewRun): Promise<Answer<Run>> =>
      mutate(call, () => planManualRun(call, team, input)),
    /**
     * Reminds the members who have not posted in a team's open runs, in the background. The body of the
     * answer is a `RequestedReminder`. Errors: `forbidden` except for leads, `no_open_run`, `rate_limited`
     * within five minutes of the last request.
     */
    remind: (call: Call, team: string): Promise<Answer<RequestedReminder>> =>
      mutate(call, () => planRemind(call, team)),
    advanceRuns,
  };
}

/**
 * Divides members into those who get a reminder, those without a channel, and those who want none now. Of
 * several runs, one that expects the member is enough.
 */
function sortByReminder(
  missing: readonly MissingMember[],
  reachOf: (member: Member) => ReminderReach,
): Pick<RequestedReminder, 'members' | 'unreachable' | 'not_reminded'> {
  const found = new Map<Id<'member'>, MissingMember>();
  for (const one of missing)
    if (one.spared === undefined || !found.has(one.member.id)) found.set(one.member.id, one);
  const members: RequestedReminder['members'][number][] = [];
  const unreachable: RequestedReminder['unreachable'][number][] = [];
  const notReminded: RequestedReminder['not_reminded'][number][] = [];
  for (const {member, spared} of found.values()) {
    const {id} = member;
    const reach = reachOf(member);
    if (spared !== undefined) notReminded.push({member: id, reason: spared});
    else if (reach.channel === undefined) unreachable.push({id, reason: reach.reason});
    else members.push({id, channel: reach.channel});
  }
  return {members, unreachable, not_reminded: notReminded};
}

/** Returns the time (ms) at which a run opened now will close. Errors: `validation_failed`. */
function computeClosingTime({closes_at: closesAt, minutes = defaultMinutes}: NewRun, now: number): number {
  if (closesAt === undefined) return now + minutes * minuteMs;
  const closes = parseInstant(closesAt) ?? now;
  if (closes > now && closes <= now + limits.runMinutes * minuteMs) return closes;
  throw fieldError(
    'validation_failed',
    '#/closes_at',
    `\`closes_at\` must be after now (${toInstant(now)}) and within 24 hours.`,
  );
}

function createRunExistsError({team, date, kind, state}: Run): AppError {
  const what = kind === 'ad_hoc' ? 'a run that a caller opened' : 'a run of its schedule';
  return new AppError(
    'run_exists',
    `On ${date} the team "${team}" has ${what} already, which is ${state}. The next one can be opened tomorrow.`,
  );
}

function createRemindedTooSoonError({slug}: Team, ms: number): AppError {
  const retryAfter = Math.max(1, Math.ceil(ms / 1_000));
  return new AppError(
    'rate_limited',
    `The members of the team "${slug}" who have not posted were reminded less than five minutes ago. Try again in ${retryAfter} seconds.`,
    {retryAfter, reminded: true},
  );
}
