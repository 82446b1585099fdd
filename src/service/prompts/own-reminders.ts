import type {Call} from '../../domain/core/access.js';
import {addDays, toInstant} from '../../domain/core/dates.js';
import {AppError} from '../../domain/core/errors.js';
import {suffixOf} from '../../domain/core/ids.js';
import type {OwnReminder} from '../../domain/prompts/own-reminder.js';
import {
  findEndOfQuietHours,
  findEndOfSnooze,
  listOpenLines,
  type Prompt,
  type PromptLine,
} from '../../domain/prompts/prompt.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {Answer} from '../core/answers.js';
import type {ServiceContext} from '../core/context.js';
import {createPromptService, createSnoozeGuard} from './prompts.js';

interface CurrentReminder {
  readonly prompt: Prompt;
  /** The runs that wait for a standup; at least one. */
  readonly open: readonly PromptLine[];
  readonly timezone: string;
}

/** A snooze in minutes, of the reminder of a date; by default of the latest one. */
interface WantedSnooze {
  readonly minutes: number;
  readonly date?: string;
}

/** Distances (days) from the date in UTC to the day of a reminder whose runs may still be open. */
const daysAround = [1, 0, -1, -2];

/** The reminder of the day, for the person who gets it. */
export function createOwnReminders(context: ServiceContext) {
  const {mutate, prompts, records, clock, zones} = context;
  const {findState} = createPromptService(context);

  async function requirePerson({workspace, principal, deadline}: Call): Promise<Member> {
    const member =
      principal.type === 'member' ? await records.find(workspace, principal.id, deadline) : undefined;
    if (member !== undefined) return member;
    throw new AppError('forbidden', 'Only members are reminded. A service account has no reminders.');
  }

  /** Finds a member's reminder of a date, by default the latest, for which something is open. */
  async function findCurrent(
    {workspace, deadline}: Call,
    {id}: Member,
    date?: string,
  ): Promise<CurrentReminder | undefined> {
    const now = clock.now();
    const today = zones.dayIn('UTC', now);
    const dates = date === undefined ? daysAround.map((away) => addDays(today, away)) : [date];
    const found = await Promise.all(dates.map((day) => prompts.find(workspace, suffixOf(id), day, deadline)));
    for (const prompt of found) {
      if (prompt === undefined || ![...prompt.runs.values()].some((closesAt) => closesAt > now)) continue;
      const state = await findState({workspace, deadline}, prompt);
      const open = listOpenLines(state);
      if (state !== undefined && open.length > 0) return {prompt, open, timezone: state.timezone};
    }
    return undefined;
  }

  function present(member: Member, current: CurrentReminder | undefined, snoozed?: number): OwnReminder {
    const until = snoozed !== undefined && snoozed > clock.now() ? toInstant(snoozed) : null;
    return {
      object: 'own_reminder',
      date: current?.prompt.date ?? null,
      teams: (current?.open ?? [])
        .toSorted((a, b) => a.closesAt - b.closesAt)
        .map(({team, date, closesAt}) => ({
          id: team.id,
          team: team.slug,
          name: team.name,
          date,
          closes_at: toInstant(closesAt),
        })),
      remind_at:
        current === undefined || !member.reminders.enabled
          ? null
          : toInstant(findReminderTime(member, current, snoozed)),
      snoozed_until: until,
    };
  }

  /** Returns the last reason to ask the person, or the later end of their quiet hours or their snooze (ms). */
  function findReminderTime(member: Member, {prompt, timezone}: CurrentReminder, snoozed = 0): number {
    // A reminder of the day before has no reasons of its new day.
    const asked = prompt.moments.size === 0 ? prompt.notBefore : Math.max(...prompt.moments.values());
    return Math.max(snoozed, findEndOfQuietHours(member.reminders, timezone, asked, zones));
  }

  return {
    /** Returns the caller's reminder. Errors: `forbidden` for a service account. */
    async findOwnReminder(call: Call): Promise<OwnReminder> {
      const member = await requirePerson(call);
      const current = await findCurrent(call, member);
      return present(member, current, current?.prompt.snoozed);
    },
    /**
     * Snoozes the caller's reminder from now on, but never past the time to post. This is the only use case
     * for all channels: another snooze moves the first. Errors: `forbidden` for a service account,
     * `no_open_run` if nothing waits, or not for long enough, or if the caller turned reminders off.
     */
    snoozeReminder: (call: Call, {minutes, date}: WantedSnooze): Promise<Answer<OwnReminder>> =>
      mutate(call, async () => {
        const member = await requirePerson(call);
        const current = await findCurrent(call, member, date);
        if (current === undefined)
          throw new AppError('no_open_run', 'No standup waits for you now, so there is nothing to snooze.');
        if (!member.reminders.enabled) throw createRemindersOffError();
        const {prompt, open} = current;
        const {member: suffix, user} = prompt;
        const until = findEndOfSnooze(clock.now(), minutes, open);
        if (until === undefined) throw createTooLateError(open);
        return {
          guards: [createSnoozeGuard(prompt)],
          writes: [{do: 'snooze-prompt', member: suffix, user, date: prompt.date, until}],
          events: [],
          reply: {
            kind: 'inline',
            accepted: false,
            body: JSON.stringify(present(member, current, until)),
          },
        };
      }),
  };
}

function createRemindersOffError(): AppError {
  return new AppError('no_open_run', 'You turned reminders off, so there is nothing to snooze.', {
    reason: 'reminders_off',
  });
}

function createTooLateError(open: readonly PromptLine[]): AppError {
  const closesAt = Math.min(...open.map((line) => line.closesAt));
  return new AppError(
    'no_open_run',
    `It is too late to snooze: the first of your standups closes at ${toInstant(closesAt)}. Post it now, or skip it.`,
    {closesAt},
  );
}
