import {z} from 'zod';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {AppError, refusalForPeople} from '../../../domain/core/errors.js';
import {suffixOf, type Id} from '../../../domain/core/ids.js';
import type {TeamDirectory} from '../../../domain/teams/team.js';
import {isolateName} from '../../texts/bidi.js';
import {slackLimits} from '../blocks/names.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';

/**
 * The dates of a form's teams: for each date, the joined id suffixes of its teams. In this short form, all
 * teams of a Slack list fit into a button.
 */
export const formDates = z.record(z.string().refine(isCalendarDate), z.string()).readonly();

export type FormDates = z.infer<typeof formDates>;

export function packDates(dates: Iterable<readonly [team: Id<'team'>, date: string]>): FormDates {
  const packed: Record<string, string> = {};
  for (const [team, date] of [...dates].slice(0, slackLimits.options)) {
    const before = packed[date];
    packed[date] = before === undefined ? suffixOf(team) : `${before} ${suffixOf(team)}`;
  }
  return packed;
}

/** Returns the date of a team; undefined for a team without a date. */
export function findTeamDate(dates: FormDates | undefined, team: Id<'team'>): string | undefined {
  const found = Object.entries(dates ?? {}).find(([, teams]) => teams.split(' ').includes(suffixOf(team)));
  return found?.[0];
}

/**
 * Adds the team's name and the date to a refusal that concerns one team. Other errors are returned unchanged.
 */
export function nameTeamInRefusal(
  error: unknown,
  {texts, day}: SlackTranslation,
  directory: TeamDirectory,
): unknown {
  if (!(error instanceof AppError)) return error;
  const {code, context} = error;
  const team = directory.byReference(context.team ?? '');
  if (team === undefined) return error;
  const [name, {date}] = [isolateName(team.name), context];
  const say = (sentence: string) => refusalForPeople(code, sentence, {...context, cause: error});
  if (context.reason === 'outside_team') return say(texts.form.outside({team: name}));
  return date === undefined ? error : say(texts.form.tooLate({team: name, day: day(date)}));
}
