import type {Records} from '../../store/core/records.js';
import {addDays, type Calendar} from '../../domain/core/dates.js';
import type {LogEntry} from '../../domain/events/event.js';
import {drawnPart, type Id, isId, storedSuffix} from '../../domain/core/ids.js';
import type {PromptName} from '../../domain/prompts/prompt.js';
import type {Prompts} from '../../store/prompts/prompts.js';

/**
 * The prompts that may have to show something else after an event; those that are named and need not do no
 * harm.
 */
export type FindPrompts = (
  workspace: Id<'workspace'>,
  entry: LogEntry,
  deadline: number,
) => Promise<readonly PromptName[]>;

export interface FindPromptsParts {
  readonly prompts: Pick<Prompts, 'listOf' | 'listOfRun'>;
  readonly records: Pick<Records, 'findRevision'>;
  readonly calendar: Calendar;
  /** The store's clock, in ms. */
  readonly now: () => number;
}

const endings: ReadonlySet<string> = new Set(['run.closed', 'run.missed', 'run.cancelled']);

export function createFindPrompts({prompts, records, calendar, now}: FindPromptsParts): FindPrompts {
  return async (workspace, {type, about, revision}, deadline) => {
    if (endings.has(type)) return prompts.listOfRun(workspace, storedSuffix(about), deadline);
    const today = calendar.dayIn('UTC', now());
    if (type === 'member.left')
      return prompts.listOf(workspace, storedSuffix(about), around([today]), deadline);
    const isStandup = type.startsWith('standup.');
    const isPlace = type === 'team.member_removed' || type === 'team.member_updated';
    if (!isStandup && !isPlace && !type.startsWith('absence.')) return [];
    const before = type === 'standup.updated' ? [revision - 1] : [];
    const drawn = storedSuffix<'standup' | 'team_member' | 'absence'>(about);
    const found = await Promise.all(
      [revision, ...before].map((of) => records.findRevision(workspace, drawn, of, deadline)),
    );
    const member = found
      .map((told) => told && ('author' in told ? told.author : told.member).id)
      .find((id) => id !== undefined);
    if (member === undefined || !isId('member', member)) return [];
    // Of a day off it matters today alone.
    const days = isStandup ? found.flatMap((told) => (told && 'date' in told ? told.date : [])) : [today];
    return prompts.listOf(workspace, drawnPart(member), around(days), deadline);
  };
}

/**
 * How far the day of a message may lie from the date of its run: clocks differ by up to 26 hours, and a run
 * may close at the end of the day after its own.
 */
const daysApart = [-2, -1, 0, 1, 2, 3];

/** The prompts of a member that may be about a run of one of these dates lie around them. */
export function around(dates: readonly string[]): string[] {
  return [...new Set(dates.flatMap((date) => daysApart.map((away) => addDays(date, away))))];
}
