import type {Call} from '../../domain/core/access.js';
import {
  type Commit,
  type CommitPart,
  emptyCommit,
  joinCommitParts,
  nothing,
  createDeletionCommit,
} from '../../domain/commit/commit.js';
import {toInstant} from '../../domain/core/dates.js';
import {suffixOf, type IdSuffix} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import type {MissedStep, Run} from '../../domain/runs/run.js';
import {
  askedStep,
  type DueReminders,
  findDueReminders,
  isReminderFor,
  listMissedReminders,
  listRunReminders,
  type RunReminder,
  formatStepOfMember,
} from '../../domain/runs/run-steps.js';
import type {Team} from '../../domain/teams/team.js';
import {findPromptTime} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {createReminderReach} from './reminder-reach.js';
import {createRunReports} from './run-reports.js';
import {createRunPeople} from './run-people.js';
import {listRuns} from './run-looks.js';
import {createRunOpeningFinder} from './run-openings.js';
import {planCloseRun, type DueStep, planOpenRun, planReviseRun, makeRunStepCommit} from './run-plans.js';

/**
 * Does the oldest due step of a team's runs in one commit; if none is due, records when the next one will be.
 * The team is given by its id suffix. Returns true if a step was done, since more may be due. Safe to run at
 * any time, any number of times at once.
 */
export type AdvanceRuns = (call: Call, team: IdSuffix<'team'>) => Promise<boolean>;

const remindedAtOnce = 50;

export function createRunAdvancer(context: ServiceContext): AdvanceRuns {
  const {mutate, records, runSteps, clock, zones, generateSuffix, mail} = context;
  const runPeople = createRunPeople(context);
  const runReports = createRunReports(context);
  const findReach = createReminderReach(context);
  const lookForOpenings = createRunOpeningFinder(context);

  async function findDueStepOfRun(call: Call, team: Team, run: Run, now: number): Promise<DueStep> {
    const suffix = suffixOf(run.id);
    const [asked] = await runSteps.findTaken(call.workspace, suffix, [askedStep], call.deadline);
    const all = listRunReminders(run, asked, zones);
    const steps = all.map(({step}) => step);
    const taken = await runSteps.findTaken(call.workspace, suffix, steps, call.deadline);
    const reminders = findDueReminders(
      all.filter((_, i) => taken[i] === undefined),
      now,
    );
    if (reminders.overtaken.length > 0) {
      return {step: skipReminders(run, reminders.overtaken, listMissedReminders(reminders, team.prompt_at))};
    }
    const [first] = reminders.due.toSorted((a, b) => a.at - b.at);
    if (first !== undefined) return {step: await planReminders(call, team, run, {first, ...reminders}, now)};
    const closes = Date.parse(run.closes_at);
    if (closes <= now) {
      const closing = planCloseRun(run, await runReports.findReport(call, run), now);
      const reporting = {writes: [{do: 'begin-work', work: {kind: 'mail-reports', run: suffix}}]} as const;
      return {step: mail === undefined ? closing : joinCommitParts([closing, reporting])};
    }
    return {next: Math.min(closes, reminders.next ?? closes)};
  }

  /** Skips the reminders that it is too late to send, and records those that count as missed. */
  function skipReminders(run: Run, overtaken: readonly RunReminder[], missed: readonly RunReminder[]) {
    const notes = new Set(
      [...run.missed_steps, ...missed.map(makeMissedReminderStep)].map((note) => JSON.stringify(note)),
    );
    const missedSteps = [...notes].map((note) => JSON.parse(note) as MissedStep);
    const isMissed = missedSteps.length > run.missed_steps.length;
    const missedPart = isMissed ? planReviseRun(run, {missed_steps: missedSteps}, ['run.missed']) : nothing;
    const steps = overtaken.map(({step}) => step);
    return joinCommitParts([missedPart, {writes: [{do: 'take-steps', run: suffixOf(run.id), steps}]}]);
  }

  /** Reminds up to 50 members. The reminder is done when the last member has been reminded. */
  async function planReminders(
    call: Call,
    {id: team, ...asking}: Team,
    run: Run,
    {first: reminder, due}: DueReminders & {readonly first: RunReminder},
    now: number,
  ): Promise<CommitPart> {
    const {moment, minutes, group, step} = reminder;
    const suffix = suffixOf(run.id);
    const posts = await records.countRunPosts(call.workspace, suffix, call.deadline);
    const wanting = await runPeople.listToRemind(call, run, group, now, (member) =>
      isReminderFor(reminder, findPromptTime(member, asking), due),
    );
    const steps = wanting.map(({id}) => formatStepOfMember(reminder, id));
    const taken = await runSteps.findTaken(call.workspace, suffix, steps, call.deadline);
    const left = wanting.filter((_, i) => taken[i] === undefined);
    const some = left.slice(0, remindedAtOnce);
    const isLast = some.length === left.length;
    const {revision} = run;
    const members = some.map(({id}) => id);
    const reachOf = await findReach(call);
    return {
      // If a member posts meanwhile, the commit fails and is planned again, so that this member is not
      // reminded.
      guards: [
        {check: 'revision', id: run.id, revision},
        {check: 'run-posts', run: suffix, count: posts},
      ],
      writes: [
        {
          do: 'take-steps',
          run: suffix,
          steps: [...members.map((id) => formatStepOfMember(reminder, id)), ...(isLast ? [step] : [])],
        },
        ...some.flatMap((member) => runPeople.promptWrites(member, run, reminder, now, reachOf(member))),
      ],
      events:
        some.length === 0
          ? []
          : [{type: 'run.reminded', about: suffix, revision, team, reminded: {at: moment, minutes, members}}],
    };
  }

  /** Returns the team's oldest due step, and the time of the next step. */
  async function findDueStep(call: Call, team: Team, from: number, now: number): Promise<DueStep> {
    const times: number[] = [];
    for (const run of await listRuns(records, call, lists.openRunsOfTeam(team.id))) {
      const found = await findDueStepOfRun(call, team, run, now);
      if ('step' in found) return found;
      if (found.next !== undefined) times.push(found.next);
    }
    const {due, next} = await lookForOpenings(call, team, {from, now, most: 1});
    const [first] = due;
    if (first !== undefined) return {step: planOpenRun(team, first, generateSuffix(), now, zones)};
    if (next !== undefined) times.push(next);
    return {next: times.length === 0 ? undefined : Math.min(...times)};
  }

  return async function advanceRuns(call, suffix) {
    const {workspace, deadline} = call;
    // A clock that has just jumped may be corrected soon. So steps that seem due wait until then.
    if (!clock.isSteady()) return false;
    let acted = false;
    await mutate(call, async (): Promise<Commit> => {
      acted = false;
      // The count of requests is read before anything else, so that a change after that makes this plan fail.
      const now = clock.now();
      if (!clock.isSteady()) return emptyCommit;
      const {asked, from} = (await runSteps.findLook(workspace, suffix, deadline)) ?? {asked: 0, from: now};
      const stored = await records.findBySuffix(workspace, suffix, deadline);
      const unasked = {check: 'unasked', team: suffix, asked} as const;
      if (stored === undefined) {
        return {...createDeletionCommit([{do: 'forget-looks', team: suffix}]), guards: [unasked]};
      }
      const found = await findDueStep(call, stored, from, now);
      if ('step' in found) {
        acted = true;
        return makeRunStepCommit(found.step, suffix, asked);
      }
      const again = {do: 'look-again', team: suffix, seen: now, next: found.next ?? null} as const;
      return {...createDeletionCommit([again]), guards: [unasked]};
    });
    return acted;
  };
}

function makeMissedReminderStep({at}: RunReminder): MissedStep {
  return {step: 'remind', due_at: toInstant(at)};
}
