import {parseWire} from '../../../domain/core/resource.js';
import {type Caller, everyScope, type PrincipalId} from '../../../domain/core/access.js';
import {addDays} from '../../../domain/core/dates.js';
import {plainRefusal} from '../../../domain/core/errors.js';
import type {StandupAnswer} from '../../../domain/questions/question.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {Team} from '../../../domain/teams/team.js';
import type {Kit, Visit} from '../door/kit.js';
import {isChannel} from '../setup/offer.js';
import {todayOf} from '../blocks/text.js';
import {NoTeam, type Place} from '../door/visitors.js';
import {listAlsoTeams} from './also-teams.js';
import {
  appendTo,
  contentOf,
  contentOfStandup,
  emptyParts,
  type FormContent,
  questionContent,
} from './form-content.js';
import {dateIn, explainForTeam, type FormDates, packDates} from './form-dates.js';
import {findChangeable, findGone} from './find-changeable.js';
import {findSince} from './find-since.js';
import type {FormPlace} from './form-place.js';
import type {FormData} from './form-view.js';
import type {FormWish} from './form-wish.js';
import {listOpenBlockers} from './open-blockers.js';
import {findTyped, teamsOfTyped, typedContent} from './typed-content.js';
import {type Id, storedId} from '../../../domain/core/ids.js';

export type LoadParts = Pick<Kit, 'visitors' | 'services' | 'calendar' | 'now' | 'slackNow'>;

/**
 * Whoever asks, and where they stand. `access` of somebody who is no member yet is undefined: they have
 * posted nothing.
 */
interface Asker {
  readonly place: Place;
  readonly access: Caller | undefined;
  readonly here: Team | undefined;
}

/** Slack takes private answers for 30 minutes; a little less is sure. */
const answerableMs = 25 * 60_000;

/**
 * What a form shows; or that there is nothing of today to edit, which was wished, for a team if it is
 * clear.
 */
export type Loaded = {readonly data: FormData} | {readonly nothing: {readonly team?: string | undefined}};

/**
 * Reads what a form shows. Errors: `validation_failed` when it is for no team, `not_found` for a standup
 * that is gone.
 */
export async function loadForm(
  parts: LoadParts,
  visit: Visit,
  wish: FormWish,
  deadline: number,
): Promise<Loaded> {
  const {visitors, slackNow} = parts;
  const answer = answerOf(visit, wish, slackNow());
  const place = await visitors.findPlace(visit.origin, deadline);
  const member = await visitors.findMember(place, visit.user, deadline);
  // Whoever may not post is told before they write anything.
  if (member === undefined) await visitors.refuseOutsider(place, visit.user, deadline);
  const principal = {type: 'member', id: member ?? storedId(''), name: visit.user.name} as const;
  const asker: Asker = {
    place,
    here: place.directory.byChannel(visit.channel),
    access:
      member === undefined
        ? undefined
        : {workspace: place.workspace, principal, scopes: everyScope, deadline},
  };
  /** With what is still in their way. */
  const typed = await findTyped(parts, asker.access, wish, visit);
  const carrying = async (data: FormData): Promise<{data: FormData}> => {
    const {team} = data.place;
    if (team === undefined || asker.access === undefined) return {data};
    return {data: {...data, open: await listOpenBlockers(parts.services, asker.access, {id: team})}};
  };
  if (wish.standup !== undefined && wish.ofOthers && asker.access === undefined)
    throw plainRefusal('forbidden', visit.reader.words.shown.notAllowed);
  if (wish.standup !== undefined && asker.access !== undefined) {
    const gone = await findGone(parts, asker.access, wish);
    if (gone !== undefined) {
      const {team_id: team, date} = gone;
      const again = {mode: 'new', team, dates: packDates([[team, date]]), deleted: wish.deleted} as const;
      const loaded = await loadForm(parts, visit, again, deadline);
      const note = {sentence: visit.reader.words.form.goneKept};
      return 'data' in loaded ? {data: {...loaded.data, note}} : loaded;
    }
    const standup = await findChangeable(parts, asker.access, wish.standup, visit, wish.ofOthers === true);
    const data = editForm(asker, standup, wish, visit, answer);
    const {id, name} = standup.author;
    if (id === member) return carrying(data);
    return {data: {...data, note: {sentence: visit.reader.words.shown.editing(name)}}};
  }
  const inQuestion = await teamsInQuestion(parts, asker, wish, visit);
  const setUpIn = setUpOf(asker, wish, visit);
  const asked = {workspace: place.workspace, deadline, member};
  const dates = await findDates(parts, asked, inQuestion, wish.dates);
  // A typed draft may have been posted since: then the standup is what there is to edit.
  const isNew = wish.mode === 'new' && (wish.typed === undefined || typed !== undefined);
  const posted = isNew ? [] : await listPosted(parts, asker, dates);
  const left = inQuestion.filter(({id}) => posted.every(({team_id}) => team_id !== id));
  const [latest] = posted;
  // Whoever is asked for the standups of certain days wants to edit one only when none of them is left to post.
  if (latest !== undefined && (wish.dates === undefined || left.length === 0)) {
    const picks = inQuestion.length > 1 && {picks: true};
    return carrying(editForm(asker, latest, wish, visit, {...answer, ...setUpIn, ...picks}));
  }
  const only = left.length === 1 ? left[0] : undefined;
  if (wish.mode === 'edit') return {nothing: {team: only?.id}};
  const about = only ?? left[0];
  const day = about && dates.get(about.id);
  if (only !== undefined && dateIn(wish.dates, only.id) !== undefined) {
    await requireTaken(parts, asker, only, day ?? '', visit);
  }
  const [{content, cut}, since, mine] = await Promise.all([
    typed === undefined
      ? newContent(parts, asker, wish, only, day)
      : {content: typedContent(typed, only), cut: false},
    asker.access && about && day && findSince(parts, asker.access, about, day),
    only === undefined
      ? {teams: left, dates}
      : listOwn(parts, asker).then(async (own) => ({
          teams: own,
          dates: await findDates(parts, asked, own, packDates(dates)),
        })),
  ]);
  const team = only === undefined ? {} : {team: only.id, ...(only.id === asker.here?.id && {joins: true})};
  const data: FormData = {
    place: {
      ...team,
      ...answer,
      ...setUpIn,
      ...(typed && {typed: wish.typed}),
      dates: packDates(new Map([...dates, ...mine.dates])),
    },
    content,
    questions: only?.questions,
    waiting: wish.text,
    teams: only === undefined ? left : [],
    also: {teams: listAlsoTeams(mine.teams, only?.id), ...(typed && {chosen: teamsOfTyped(typed)})},
    teamName: only?.name,
    date: shownDate(parts, left, dates),
    since,
    note: cut ? {sentence: visit.reader.words.form.appendCut} : undefined,
  };
  return carrying(data);
}

function answerOf({responseUrl: url}: Visit, {replaces}: FormWish, now: number): Pick<FormPlace, 'answer'> {
  if (url === undefined) return {};
  return {answer: {url, until: now + answerableMs, ...(replaces && {replaces})}};
}

/** Whoever has teams elsewhere may want one here too, where none has been asked for by name. */
function setUpOf(
  {here}: Asker,
  {mode, team, ownTeams}: FormWish,
  {channel}: Visit,
): Pick<FormPlace, 'setUpIn'> {
  const isNamed = team !== undefined || mode === 'edit' || ownTeams === true;
  return here === undefined && !isNamed && isChannel(channel) ? {setUpIn: channel} : {};
}

function editForm(
  {place}: Asker,
  standup: Standup,
  {append, dates}: FormWish,
  {reader}: Visit,
  more: Pick<FormPlace, 'answer' | 'picks' | 'setUpIn'>,
): FormData {
  const {id, revision, team_id, date} = standup;
  const team = place.directory.byReference(team_id);
  const written = contentOfStandup(standup, team);
  const added = append === undefined ? {content: written, cut: false} : appendTo(written, append);
  return {
    place: {team: team_id, standup: id, revision, date, dates, asWritten: append === undefined, ...more},
    content: added.content,
    questions: team?.questions,
    teams: [],
    teamName: team?.name,
    date,
    added: append,
    note: added.cut ? {sentence: reader.words.form.appendCut} : undefined,
  };
}

/**
 * The team that is wished for, the channel's, or those the person is in, of which only the ones that are
 * wished for on certain dates count, if there are any; `ownTeams` leaves out a channel's that they are not
 * in.
 */
async function teamsInQuestion(
  {visitors}: LoadParts,
  {place, access, here}: Asker,
  wish: FormWish,
  {reader}: Visit,
): Promise<readonly Team[]> {
  if (wish.team !== undefined) {
    const team = place.directory.byReference(wish.team);
    if (team === undefined) throw plainRefusal('team_not_found', reader.words.form.teamGone);
    return [team];
  }
  if (here !== undefined && wish.ownTeams !== true) return [here];
  const mine = await listOwn({visitors}, {place, access});
  if (here !== undefined && mine.some(({id}) => id === here.id)) return [here];
  if (mine.length === 0) throw new NoTeam(reader.words);
  const dated = mine.filter(({id}) => dateIn(wish.dates, id) !== undefined);
  return dated.length > 0 ? dated : mine;
}

/** The teams that the person is in; none of somebody new. */
async function listOwn(
  {visitors}: Pick<LoadParts, 'visitors'>,
  {place, access}: Pick<Asker, 'place' | 'access'>,
): Promise<readonly Team[]> {
  return access === undefined ? [] : visitors.listPostable(place, access.principal.id, access.deadline);
}

/**
 * For which date a form is in each of these teams: the one that is given, or that of a standup that the
 * person would post now.
 */
export async function findDates(
  {services}: Pick<LoadParts, 'services'>,
  {member, ...asked}: {workspace: Id<'workspace'>; deadline: number; member: PrincipalId | undefined},
  teams: readonly Team[],
  given: FormDates | undefined,
): Promise<ReadonlyMap<Id<'team'>, string>> {
  const known = teams.flatMap(({id}) => {
    const date = dateIn(given, id);
    return date === undefined ? [] : [[id, date] as const];
  });
  const dates = new Map(known);
  const others = teams.filter(({id}) => !dates.has(id));
  if (others.length === 0) return dates;
  return new Map([...known, ...(await services.standups.findDates(asked, others, member))]);
}

/** The date of a form that says which one it is for: one that is not today by the clocks of its teams. */
export function shownDate(
  {calendar, now}: Pick<LoadParts, 'calendar' | 'now'>,
  teams: readonly Team[],
  dates: ReadonlyMap<Id<'team'>, string>,
): string | undefined {
  const named = new Set(teams.map(({id}) => dates.get(id)));
  const [date] = named;
  const isToday = teams.every(({timezone}) => calendar.dayIn(timezone, now()) === date);
  return named.size === 1 && !isToday ? date : undefined;
}

/** Refuses a form for a run that takes no standup any more, before anything is written in it. */
async function requireTaken(
  {services}: LoadParts,
  {access, place}: Pick<Asker, 'access' | 'place'>,
  team: Team,
  date: string,
  {reader}: Visit,
): Promise<void> {
  if (access === undefined) return;
  await services.standups.requireInTime(access, team, date).catch((error: unknown) => {
    throw explainForTeam(error, reader, place.directory);
  });
}

/**
 * The last standup that the person has posted for each of these teams, on the date that the form is for
 * there; newest first.
 */
async function listPosted(
  {services}: LoadParts,
  {access}: Pick<Asker, 'access'>,
  dates: ReadonlyMap<Id<'team'>, string>,
): Promise<readonly Standup[]> {
  if (access === undefined) return [];
  const found = await Promise.all(
    [...dates].map(async ([team, date]) => {
      const query = {author: access.principal.id, team, dateFrom: date, dateTo: date, limit: 1};
      const {rows} = await services.standups.listStandups(access, query);
      return rows.map(parseWire);
    }),
  );
  return found.flat().toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
}

/**
 * What a new form begins with: the text that is wished for, or what the last standup before today said
 * about its day.
 */
async function newContent(
  parts: LoadParts,
  {access}: Asker,
  {text, deleted, append}: FormWish,
  only: Team | undefined,
  day: string | undefined,
): Promise<{content: FormContent; cut: boolean}> {
  const {standups} = parts.services;
  if (text !== undefined) return {content: contentOf(text), cut: false};
  const taken =
    deleted &&
    access &&
    (await standups.findDeleted(access, {id: deleted.standup, revision: deleted.revision}));
  if (taken !== undefined) return {content: contentOfStandup(taken, only), cut: false};
  const last = access && day && (await lastBefore(parts, access, only, day));
  const content: FormContent =
    only !== undefined && only.questions.length > 0
      ? questionContent(only, last ? carried(last, only) : [])
      : {shape: 'parts', parts: {...emptyParts, yesterday: last ? todayOf(last.update) : ''}};
  return append === undefined ? {content, cut: false} : appendTo(content, append);
}

/** Where a team asks for yesterday and for today, what was to be done then is what was done. */
export function carried({answers}: Standup, {questions}: Team): readonly StandupAnswer[] {
  const today = answers.find(({question, type}) => question === 'today' && type === 'text');
  const asked = questions.find(({key, type}) => key === 'yesterday' && type === 'text');
  if (today === undefined || asked === undefined) return [];
  return [{...today, question: asked.key, label: asked.label}];
}

/** A person's last standup before a date, for this team or for any. */
export async function lastBefore(
  {services: {standups}}: Pick<LoadParts, 'services'>,
  access: Caller,
  only: Team | undefined,
  date: string,
): Promise<Standup | undefined> {
  const {rows} = await standups.listStandups(access, {
    author: access.principal.id,
    team: only?.id,
    dateTo: addDays(date, -1),
    limit: 1,
  });
  return rows[0] === undefined ? undefined : parseWire(rows[0]);
}
