import type {Guard} from '../../domain/commit/commit.js';
import type {Call, RequestContext} from '../../domain/core/access.js';
import {suffixOf} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {
  findEndOfQuietHours,
  listOpenLines,
  mailRecipient,
  type Prompt,
  type PromptContent,
  type PromptLine,
  type PromptState,
} from '../../domain/prompts/prompt.js';
import type {Run} from '../../domain/runs/run.js';
import type {Standup} from '../../domain/standups/standup.js';
import {isExpected, type Team} from '../../domain/teams/team.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import {createDayRange, listRecords} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {createDaysOff} from '../absences/days-off.js';
import {findRecipient} from '../runs/reminder-reach.js';
import {createStillBlockedFinder} from './still-blocked.js';

type PromptRuns = Pick<Prompt, 'member' | 'user' | 'runs' | 'reminded'>;

/** The maximum number of the member's standups of these dates that are read. */
const maxRead = 100;

/** The single message a day that reminds a member. */
export function createPromptService(context: ServiceContext) {
  const {prompts, records, teams, slackPosts, slackStatuses, clock, zones, mail} = context;
  const daysOff = createDaysOff(context);
  const findStillBlocked = createStillBlockedFinder(context);

  /**
   * Returns the current content of a reminder; undefined if its member is deleted. Deleted runs, and teams
   * that the member has left, are left out.
   */
  async function findPromptState(
    asked: RequestContext,
    prompt: PromptRuns,
  ): Promise<PromptState | undefined> {
    const {workspace, deadline} = asked;
    const [member, directory, ...runs] = await Promise.all([
      records.findBySuffix(workspace, prompt.member, deadline),
      teams.all({workspace, deadline}),
      ...[...prompt.runs.keys()].map((run) => records.findBySuffix(workspace, run, deadline)),
    ]);
    if (member === undefined) return undefined;
    const there = runs.flatMap((run) => {
      const team = run === undefined ? undefined : directory.byReference(run.team_id);
      return run === undefined || team === undefined ? [] : [{run, team}];
    });
    const own = await listStandupsForRuns(
      asked,
      member,
      there.map(({run}) => run),
    );
    const found = await Promise.all(
      there.map(({run, team}) => findPromptLine(asked, member, {run, team, own, prompt})),
    );
    const lines = found.flatMap((line) => line ?? []);
    const channel = prompt.user === mailRecipient ? 'mail' : 'slack';
    const wanted =
      member.reminders.enabled &&
      member.reminders.channels.includes(channel) &&
      findRecipient(member, channel) === prompt.user &&
      (channel === 'slack' || mail !== undefined);
    const open = lines.find(({state}) => state === 'open');
    // A member without a time zone gets that of the first team that waits for their standup.
    const timezone = member.timezone ?? there.find(({run}) => run.id === open?.run)?.run.timezone ?? 'UTC';
    const now = clock.now();
    const quietUntil = findEndOfQuietHours(member.reminders, timezone, now, zones);
    return {member: member.id, wanted, lines, timezone, today: zones.dayIn(timezone, now), quietUntil};
  }

  async function findPromptLine(
    asked: RequestContext,
    member: Member,
    given: {run: Run; team: Team; own: readonly Standup[]; prompt: PromptRuns},
  ): Promise<PromptLine | undefined> {
    const {workspace, deadline} = asked;
    const {run, team} = given;
    const suffix = suffixOf(run.id);
    const closesAt = given.prompt.runs.get(suffix) ?? Date.parse(run.closes_at);
    const reminded = given.prompt.reminded.get(suffix) ?? 0;
    const line = {run: run.id, date: run.date, team, closesAt, reminded};
    const posted = given.own.find(({team_id, date}) => team_id === team.id && date === run.date);
    if (posted !== undefined) {
      const [message] = await slackPosts.listMessages(workspace, [suffixOf(posted.id)], deadline);
      const link = message?.permalink ?? undefined;
      const awaitsLink =
        link === undefined && team.slack_channel_id !== null && team.slack_post_mode !== 'digest';
      return {...line, state: 'posted', standup: posted.id, link, ...(awaitsLink && {awaitsLink})};
    }
    if (run.state === 'cancelled') return {...line, state: 'cancelled'};
    const [membership, off] = await Promise.all([
      records.findMembership(workspace, team.id, member.id, deadline),
      daysOff.listDaysOff(asked, [member], run.date, team.id),
    ]);
    if (membership === undefined || !isExpected(membership)) return undefined;
    const dayOff = off.get(member.id);
    if (dayOff !== undefined) return {...line, state: dayOff.status};
    const isOver = run.state !== 'open' || clock.now() >= closesAt;
    return {...line, state: isOver ? 'closed' : 'open'};
  }

  async function listStandupsForRuns(asked: RequestContext, member: Member, runs: readonly Run[]) {
    const dates = runs.map(({date}) => date).toSorted();
    const [first, last] = [dates.at(0), dates.at(-1)];
    if (first === undefined || last === undefined) return [];
    const list = lists.standupsOfAuthor(member.id);
    return listRecords(records, asked, {list, ...createDayRange(first, last), limit: maxRead});
  }

  return {
    findState: findPromptState,
    /** Returns what a reminder's message shows now; undefined if its member is deleted. */
    async findContent(asked: RequestContext, prompt: Prompt): Promise<PromptContent | undefined> {
      const state = await findPromptState(asked, prompt);
      if (state === undefined) return undefined;
      const runs = listOpenLines(state).map(({run}) => suffixOf(run));
      const [blockers, looks] = await Promise.all([
        findStillBlocked(asked, prompt, state),
        slackStatuses.find(asked.workspace, state.member, runs, asked.deadline),
      ]);
      return {...state, blockers, awayEmoji: looks.find((look) => look?.emoji)?.emoji};
    },
    /** Returns the runs of the caller's reminder of a date for which they can and should still post. */
    async listOpen(call: Call, date: string): Promise<readonly PromptLine[]> {
      const {principal} = call;
      const prompt =
        principal.type === 'member'
          ? await prompts.find(call.workspace, suffixOf(principal.id), date, call.deadline)
          : undefined;
      return listOpenLines(prompt && (await findPromptState(call, prompt)));
    },
  };
}

/** Requires that a reminder has not been snoozed again, and not moved to another channel, since it was read. */
export function createSnoozeGuard({member, date, user, snoozed}: Prompt): Guard {
  return {check: 'prompt-snooze', member, date, user, snoozed};
}
