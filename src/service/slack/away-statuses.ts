import {type Absence, findListsWithAbsence} from '../../domain/absences/absence.js';
import {type Commit, type CommitPart, joinCommitParts, nothing} from '../../domain/commit/commit.js';
import {createWrite} from '../../domain/commit/writes.js';
import type {Call, RequestContext} from '../../domain/core/access.js';
import {dayNumber} from '../../domain/core/dates.js';
import {type IdSuffix, suffixOf} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists, positionOf} from '../../domain/core/lists.js';
import type {Draft} from '../../domain/core/resource.js';
import {listOpenLines, type PromptState} from '../../domain/prompts/prompt.js';
import {groupParticipantsByTimes} from '../../domain/runs/run-steps.js';
import {findClosingTimeFor} from '../../domain/runs/run-times.js';
import type {Run} from '../../domain/runs/run.js';
import {
  findAwayEmoji,
  freshLookMs,
  type SlackStatus,
  type StatusLook,
  type StatusQuestion,
} from '../../domain/slack/away-status.js';
import {slackDoorkeeper} from '../../domain/slack/slack-installation.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import {createRunUpdateJobWrites} from '../absences/absence-plans.js';
import {createDaysOff} from '../absences/days-off.js';
import type {ServiceContext} from '../core/context.js';
import {createRunPeople} from '../runs/run-people.js';

/** What a look at a status has changed. `away`: it made an absence. `emoji`: the reminder asks about it. */
export interface SeenStatus {
  readonly away: boolean;
  readonly emoji: boolean;
}

/** Decides whose status in Slack is looked at, and what it means for the runs that wait for them. */
export function createAwayStatuses(context: ServiceContext) {
  const {records, workspaces, mutate, slackStatuses, clock, zones, generateSuffix} = context;
  const daysOff = createDaysOff(context);
  const runPeople = createRunPeople(context);

  /**
   * Plans what a status means for one open run. An absence is of the run's team and day alone. It is not made for a
   * member who is off already, and only once: the member may have ended it.
   */
  async function planLook(
    call: Call,
    member: Member,
    run: Run,
    {emoji, before}: {readonly emoji: string; readonly before: StatusLook | undefined},
  ): Promise<CommitPart & {readonly away: boolean}> {
    const list = lists.absencesOf(member.id);
    const past = positionOf(dayNumber(run.date), 0);
    const [off, {rows}] = await Promise.all([
      daysOff.listDaysOff(call, [member], run.date, run.team_id),
      records.list(call.workspace, {list, from: past, limit: limits.absencesPerMember}, call.deadline),
    ]);
    const away =
      emoji !== '' &&
      member.slack_status === 'always' &&
      before?.made !== true &&
      !off.has(member.id) &&
      rows.length < limits.absencesPerMember;
    const look = {at: clock.now(), emoji, made: away || before?.made === true};
    const noted: CommitPart = {
      guards: [],
      writes: [{do: 'note-slack-status', member: member.id, run: suffixOf(run.id), look}],
      events: [],
    };
    if (!away) return {...noted, away};
    const draft = draftAbsence(member, run);
    const suffix = generateSuffix();
    const asked = {now: clock.now(), asked: generateSuffix()};
    const made: CommitPart = {
      guards: [
        {check: 'revision', id: member.id, revision: member.revision},
        // Another look, or the member, may enter an absence at the same moment.
        {check: 'length', list, below: rows.length + 1, past},
      ],
      writes: [
        createWrite('absence', suffix, draft, findListsWithAbsence(draft)),
        ...createRunUpdateJobWrites(member.id, [draft], asked),
      ],
      events: [{type: 'absence.created', about: suffix, revision: 1, team: run.team_id}],
    };
    return {...joinCommitParts([noted, made]), away};
  }

  /** Returns the member that a question is about, if the question may still be asked. */
  async function findAsked(
    {workspace, deadline}: RequestContext,
    {member, user}: Pick<StatusQuestion, 'member' | 'user'>,
  ): Promise<Member | undefined> {
    const found = await records.find(workspace, member, deadline);
    return found?.slack_user_id === user && found.slack_status !== 'never' ? found : undefined;
  }

  return {
    /** Lists the members that an open run waits for, and whose status was not looked at for it. */
    async listUnlooked(call: RequestContext, run: IdSuffix<'run'>): Promise<StatusQuestion[]> {
      const found = await records.findBySuffix(call.workspace, run, call.deadline);
      if (found?.state !== 'open') return [];
      const now = clock.now();
      const groups = groupParticipantsByTimes(found, zones);
      const waiting = await Promise.all(
        groups.map((group) => runPeople.listMissing(call, found, group, now)),
      );
      const people = waiting
        .flat()
        .flatMap(({member: {id, slack_user_id: user, slack_status}, spared}) =>
          user === null || slack_status === 'never' || spared === 'day_off' ? [] : [{member: id, user}],
        );
      const some = people.slice(0, limits.statusesPerRun);
      const looked = await slackStatuses.listOfRun(
        call.workspace,
        run,
        some.map(({member}) => member),
        call.deadline,
      );
      return some.filter(({member}) => !looked.has(member)).map((one) => ({...one, runs: [run]}));
    },
    /** Returns what to look at before a reminder is sent; undefined if that was done some minutes ago. */
    async findQuestion(
      call: RequestContext,
      user: string,
      state: Pick<PromptState, 'member' | 'lines'>,
    ): Promise<StatusQuestion | undefined> {
      const {member} = state;
      const runs = listOpenLines(state).map(({run}) => suffixOf(run));
      if ((await findAsked(call, {member, user})) === undefined) return undefined;
      const looks = await slackStatuses.find(call.workspace, member, runs, call.deadline);
      const from = clock.now() - freshLookMs;
      const due = runs.filter((_, i) => (looks[i]?.at ?? 0) < from);
      return due.length === 0 ? undefined : {member, user, runs: due};
    },
    /** Records what a member's status says. With `slack_status: always` it may make an absence. */
    async noteStatus(call: Call, question: StatusQuestion, status: SlackStatus): Promise<SeenStatus> {
      let seen: SeenStatus = {away: false, emoji: false};
      await mutate(call, async (): Promise<Commit> => {
        const {workspace, deadline} = call;
        const [member, home, runs, looks] = await Promise.all([
          findAsked(call, question),
          workspaces.find(workspace, deadline),
          Promise.all(question.runs.map((run) => records.findBySuffix(workspace, run, deadline))),
          slackStatuses.find(workspace, question.member, question.runs, deadline),
        ]);
        const now = clock.now();
        const open = runs.flatMap((run, i) => {
          const closesAt = run?.state === 'open' ? findClosingTimeFor(run, question.member, zones) : now;
          if (run === undefined || closesAt <= now) return [];
          const emoji = findAwayEmoji(status, home?.away_emoji ?? [], {now, closesAt});
          return [{run, emoji, before: looks[i]}];
        });
        const parts =
          member === undefined
            ? []
            : await Promise.all(open.map(({run, ...found}) => planLook(call, member, run, found)));
        seen = {away: parts.some(({away}) => away), emoji: open.some(({emoji}) => emoji !== '')};
        return {...(parts.length === 0 ? nothing : joinCommitParts(parts)), reply: {kind: 'empty'}};
      });
      return seen;
    },
  };
}

function draftAbsence({id, name}: Member, {date, team, team_id}: Run): Draft<Absence> {
  return {
    object: 'absence',
    member: {type: 'member', id, name},
    kind: 'away',
    from: date,
    until: date,
    reason: null,
    reason_for: 'leads',
    team,
    team_id,
    created_by: slackDoorkeeper,
    source: 'slack_status',
  };
}
