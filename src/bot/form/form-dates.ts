import {isCalendarDate} from '../../domain/dates.js';
import {AppError} from '../../domain/errors.js';
import {drawnPart} from '../../domain/ids.js';
import type {Team} from '../../domain/team.js';
import {nameInText} from '../bidi.js';
import {slackLimits} from '../names.js';
import type {Reader} from '../words/words.js';

/**
 * The date of each team that a form may be for: drawn halves of their ids, one behind the other, by date. So as many teams as a list of Slack
 * has fit into what a form or a button carries.
 */
export type FormDates = Readonly<Record<string, string>>;

/** `dates`: by id of the team. */
export function packDates(dates: Iterable<readonly [team: string, date: string]>): FormDates {
  const packed: Record<string, string> = {};
  for (const [team, date] of [...dates].slice(0, slackLimits.options)) {
    const before = packed[date];
    packed[date] = before === undefined ? drawnPart(team) : `${before} ${drawnPart(team)}`;
  }
  return packed;
}

/** Undefined for a team that nothing is said of. */
export function dateIn(dates: FormDates | undefined, team: string): string | undefined {
  const found = Object.entries(dates ?? {}).find(([, teams]) => teams.split(' ').includes(drawnPart(team)));
  return found?.[0];
}

/** What a button says; undefined for one that says nothing. */
export function parseDates(given: unknown): FormDates | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const named = Object.entries(given).filter(
    (entry): entry is [string, string] => isCalendarDate(entry[0]) && typeof entry[1] === 'string',
  );
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

/** The refusal of a standup that comes too late for its run, as a person reads it; any other error as it is. */
export function explainTooLate(
  error: unknown,
  {words, day}: Reader,
  {name}: Pick<Team, 'name'>,
  date: string,
): unknown {
  if (!(error instanceof AppError) || error.code !== 'run_closed') return error;
  return new AppError('run_closed', words.form.tooLate(nameInText(name), day(date)), {
    ...error.context,
    cause: error,
  });
}
