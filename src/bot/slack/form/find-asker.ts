import {findViewer} from '../core/requester.js';
import {type Caller} from '../../../domain/core/access.js';
import {refusalForPeople} from '../../../domain/core/errors.js';
import {type Id} from '../../../domain/core/ids.js';
import type {Team} from '../../../domain/teams/team.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {NoTeam, type SlackWorkspace} from '../core/slack-identities.js';
import {findTeamDate, type FormRequest, readTeamAndDates, type FormDates} from '../answers/form-request.js';
import {nameTeamInRefusal} from '../core/refusals.js';
import {addDays} from '../../../domain/core/dates.js';
import {findLastWorkingDay, longestLookBack} from '../../../domain/schedules/working-days.js';
import {parseWire} from '../../../domain/core/resource.js';
import {findPrefillSourceKey, type StandupAnswer} from '../../../domain/questions/question.js';
import {plainText} from '../../../domain/core/markdown.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {DraftPart} from '../../../domain/drafts/draft.js';

export interface Asker {
  readonly slackRequest: SlackRequest;
  readonly slackWorkspace: SlackWorkspace;
  readonly member: Id<'member'> | undefined;
  /** The person's rights; undefined for one who is not a member of the workspace or of a private team yet. */
  readonly access: Caller | undefined;
  readonly deadline: number;
  readonly here: Team | undefined;
}

/** Finds the person who asked for a form, and refuses a person who may not post before they write. */
export async function findAsker(
  context: SlackContext,
  slackRequest: SlackRequest,
  deadline: number,
): Promise<Asker> {
  const viewer = await findViewer(context, slackRequest, deadline, 'refuseOutsider');
  const here = viewer.slackWorkspace.directory.byChannel(slackRequest.channel);
  const isNew = viewer.member === undefined || (await joinsPrivateTeam(context, viewer, here));
  return {...viewer, slackRequest, access: isNew ? undefined : viewer.access, here};
}

/** True if the channel's team is private and the person not in it: they join by posting, and read it from then on. */
async function joinsPrivateTeam(
  {services}: SlackContext,
  {slackWorkspace, access}: Pick<Asker, 'slackWorkspace'> & {readonly access: Caller},
  here: Team | undefined,
): Promise<boolean> {
  if (here?.visibility !== 'private') return false;
  const seen = await services.teams.narrowDirectory(slackWorkspace.directory, access, undefined);
  return seen.byReference(here.id) === undefined;
}

/** Returns the teams for which the person posts; none for a new person. */
export async function listPostableTeams(
  {identities}: SlackContext,
  {slackWorkspace, member, deadline}: Asker,
): Promise<readonly Team[]> {
  return member === undefined ? [] : identities.listTeams(slackWorkspace, member, deadline, 'expected');
}

/**
 * Returns the teams of a form: the requested team, the channel's, or all of the person, and of these only
 * teams with a date if the request has dates. Errors: `team_not_found`; `NoTeam`.
 */
export async function listRequestedTeams(
  context: SlackContext,
  asker: Asker,
  request: FormRequest,
): Promise<readonly Team[]> {
  const {slackWorkspace, here, slackRequest} = asker;
  const {texts} = slackRequest.translation;
  const {team: named, dates} = readTeamAndDates(request);
  if (named !== undefined) {
    const team = slackWorkspace.directory.byReference(named);
    if (team === undefined) throw refusalForPeople('team_not_found', texts.form.teamGone);
    return [team];
  }
  if (here !== undefined && request.mode !== 'add') return [here];
  const mine = await listPostableTeams(context, asker);
  if (here !== undefined && mine.some(({id}) => id === here.id)) return [here];
  if (mine.length === 0) throw new NoTeam(texts);
  const dated = mine.filter(({id}) => findTeamDate(dates, id) !== undefined);
  return dated.length > 0 ? dated : mine;
}

export type Dates = ReadonlyMap<Id<'team'>, string>;

/** Returns the date of a form for each team: the requested date, or that of a standup posted now. */
export async function findFormDates(
  {services}: SlackContext,
  {slackWorkspace: {workspace}, member, deadline}: Asker,
  teams: readonly Team[],
  given: FormDates | undefined,
): Promise<Dates> {
  const known = teams.flatMap(({id}) => {
    const date = findTeamDate(given, id);
    return date === undefined ? [] : [[id, date] as const];
  });
  const dates = new Map(known);
  const others = teams.filter(({id}) => !dates.has(id));
  if (others.length === 0) return dates;
  return new Map([...known, ...(await services.standups.findDates({workspace, deadline}, others, member))]);
}

/** Returns the date that a form shows; undefined if it is today in all of its teams. */
export function findDateToShow(
  {calendar, now}: SlackContext,
  teams: readonly Team[],
  dates: Dates,
): string | undefined {
  const named = new Set(teams.map(({id}) => dates.get(id)));
  const [date] = named;
  const isToday = teams.every(({timezone}) => calendar.dayIn(timezone, now()) === date);
  return named.size === 1 && !isToday ? date : undefined;
}

/** Refuses a form for a run that takes no more standups, before the person writes anything. */
export async function requireOpenRun(
  {services}: SlackContext,
  {access, slackWorkspace, slackRequest: request}: Asker,
  team: Team,
  date: string,
): Promise<void> {
  if (access === undefined) return;
  await services.standups.requireInTime(access, team, date).catch((error: unknown) => {
    throw nameTeamInRefusal(error, request.translation, slackWorkspace.directory);
  });
}

/** Returns the day that "Yesterday" means if not the day before: after a weekend, holidays or an absence. */
export async function findPreviousDay(
  {services}: SlackContext,
  access: Caller,
  team: Team,
  today: string,
): Promise<string | undefined> {
  const member = await services.members.findMember(access, access.principal.id);
  const time = {from: addDays(today, -longestLookBack), until: addDays(today, -1)};
  const dayOff = await services.daysOff.readDaysOff(access, [member], time);
  // A member who skips a standup still works on that day.
  const isOff = (date: string) => {
    const found = dayOff(member.id, date, team.id);
    return found !== undefined && found.status !== 'skipped';
  };
  const last = findLastWorkingDay(team.schedule, today, isOff);
  return last === time.until ? undefined : last;
}

export async function listPostedStandups(
  {services}: SlackContext,
  access: Caller | undefined,
  dates: Dates,
): Promise<readonly Standup[]> {
  if (access === undefined) return [];
  const found = await Promise.all(
    [...dates].map(async ([team, date]) => {
      const query = {author: access.principal.id, teams: [team], dateFrom: date, dateTo: date, limit: 1};
      const {rows} = await services.standups.listStandups(access, query);
      return rows.map(parseWire);
    }),
  );
  return found.flat().toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
}

export async function findLastStandupBefore(
  {services: {standups}}: SlackContext,
  access: Caller,
  only: Team | undefined,
  date: string,
): Promise<Standup | undefined> {
  const {rows} = await standups.listStandups(access, {
    author: access.principal.id,
    teams: only && [only.id],
    dateTo: addDays(date, -1),
    limit: 1,
  });
  return rows[0] === undefined ? undefined : parseWire(rows[0]);
}

/** Returns answers prefilled from the last standup: what was planned then is now done. */
export function carryAnswersForward({answers, format}: Standup, {questions}: Team): readonly StandupAnswer[] {
  return questions.flatMap((asked) => {
    const from = findPrefillSourceKey(asked);
    const last = answers.find(({question, type}) => question === from && type === 'text');
    return last === undefined
      ? []
      : [
          {
            ...last,
            value: plainText(String(last.value), format ?? 'plain'),
            question: asked.key,
            label: asked.label,
          },
        ];
  });
}

/** Returns the parts of the draft that programs have prepared for the person, a team and a day. */
export async function findPreparedDraft(
  {services: {drafts}}: SlackContext,
  access: Caller,
  team: Team,
  date: string,
): Promise<readonly DraftPart[]> {
  return (await drafts.findDraft(access, 'me', {team: team.id, date})).parts;
}
