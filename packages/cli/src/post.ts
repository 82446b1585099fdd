import type {Schema} from '../../client-ts/src/schema.js';
import {need} from './connection.js';
import {findDraft} from './draft.js';
import {askByEditor, explainQuestions, readHeadings, writeHeadings} from './editor.js';
import {CommandError} from './errors.js';
import {draftFromCommits} from './git.js';
import {createPost, isOwn, listKept, resendPost, sendPost} from './kept-posts.js';
import {chooseTeam, formatDay, printBody, type Session} from './session.js';
import {line, paragraph} from './show.js';

export interface PostOptions {
  readonly team?: string;
  readonly date?: string;
  readonly blocker?: readonly string[];
  readonly from?: string;
  readonly format?: 'plain' | 'markdown';
  readonly yes?: boolean;
  readonly retry?: boolean;
}

export async function postUpdate(
  session: Session,
  words: readonly string[],
  options: PostOptions,
): Promise<void> {
  const {outside} = session;
  if (options.retry) return retryPosts(session);
  const teams = options.team?.split(',').map((team) => team.trim()) ?? [await chooseTeam(session, undefined)];
  const date = options.date ?? (await findDay(session, teams));
  const read = await readContent(session, words, teams, date, options);
  if (read === undefined) return;
  const {format: proposed, ...content} = read;
  const format = options.format ?? proposed;
  const [team = ''] = teams;
  const post = createPost(session, {
    ...(teams.length === 1 ? {team} : {teams}),
    ...content,
    ...(format === 'markdown' && {format}),
    ...(options.blocker && {blockers: options.blocker.join('\n')}),
    date,
  });
  try {
    showPosted(session, await sendPost(session, post));
  } catch (error) {
    if (isRefusal(error) && words.length === 0 && outside.isInteractive) showTyped(session, content);
    throw error;
  }
  if (session.json) return;
  const waiting = listKept(outside).filter((kept) => isOwn(session, kept)).length;
  if (waiting > 0) {
    outside.warn(
      `${waiting === 1 ? 'An earlier update waits' : `${waiting} earlier updates wait`}: standup post --retry\n`,
    );
  }
}

type Content = Pick<Schema<'NewStandup'>, 'update' | 'answers' | 'format'>;

const readableContent = ({update, answers = []}: Content): string =>
  update ?? answers.map(({value}) => [value].flat().join(', ')).join('\n');

const markdownNote = 'You can use Markdown: **bold**, `code`, - lists, > quotes, [links](https://…).';

/** Reads what to post; undefined if nothing is to be posted. */
async function readContent(
  session: Session,
  words: readonly string[],
  teams: readonly string[],
  date: string,
  {from, yes, format}: PostOptions,
): Promise<Content | undefined> {
  const {outside} = session;
  const about = `Write your update for ${teams.join(', ')} (${date}) above this line, save, and close the editor.`;
  const empty = 'Leave it empty to post nothing.';
  if (from !== undefined) {
    const [team = ''] = teams;
    if (words.length > 0) throw new CommandError('usage', `Give a text or --from ${from}, not both.`);
    const draft =
      from === 'git' ? await draftFromGit(session, team) : (await findDraft(session, {team, date})).update;
    if (yes) {
      if (draft === '')
        throw new CommandError(
          'refused',
          from === 'git'
            ? 'There are no commits of yours since your last update.'
            : `There is no draft for ${team}, ${date}.`,
        );
      return {update: draft};
    }
    if (!outside.isInteractive) {
      outside.print(`${paragraph(draft, '')}\n`);
      outside.warn('Nothing was posted. Add --yes to post it.\n');
      return undefined;
    }
    return needText(await askByEditor(outside, draft, [about, empty]));
  }
  if (words.length > 0) return needText(words.join(' ').trim());
  const piped = await outside.readInput();
  if (piped !== undefined) return needText(piped.trim());
  if (!outside.isInteractive)
    throw new CommandError('usage', 'Give a text: standup post "Fixed the importer."');
  const questions = teams.length === 1 ? await findQuestions(session, teams[0] ?? '') : [];
  const isFormatted = format !== 'plain';
  const notes = [about, empty, ...(isFormatted ? [markdownNote] : []), ...explainQuestions(questions)];
  const text = await askByEditor(outside, writeHeadings(questions), notes);
  const content = readHeadings(text, questions);
  if (content.update === undefined && content.answers === undefined) return needText('');
  // People write Markdown in an editor. Words, pipes and commits are texts that may only look like it.
  return isFormatted ? {...content, format: 'markdown'} : content;
}

function needText(update: string): Content {
  if (update === '') throw new CommandError('usage', 'The text is empty. Nothing was posted.');
  return {update};
}

export async function findQuestions({client}: Session, team: string): Promise<readonly Schema<'Question'>[]> {
  return need(await client.GET('/v1/teams/{team}', {params: {path: {team}}})).questions;
}

/**
 * Returns the day of the next standup of the teams. It is sent, so that a repeat on the next day still means
 * this one. Without an answer it is the day of this machine.
 */
export async function findDay(session: Session, teams: readonly string[]): Promise<string> {
  const {client, outside} = session;
  const days = new Set<string>();
  for (const team of teams) {
    try {
      const path = {team, date: 'today'};
      days.add(need(await client.GET('/v1/teams/{team}/days/{date}', {params: {path}})).date);
    } catch (error) {
      const canGuess = error instanceof CommandError && ['unreachable', 'forbidden'].includes(error.reason);
      if (!canGuess) throw error;
      days.add(formatDay(outside.now()));
      break;
    }
  }
  const [day = '', other] = days;
  if (other === undefined) return day;
  throw new CommandError(
    'usage',
    `Your teams have different days now. Choose one: --date ${day} or --date ${other}`,
  );
}

async function draftFromGit(session: Session, team: string): Promise<string> {
  const {client, outside, profile} = session;
  const query = {team: [team], author: 'me', limit: 1};
  const {data} = need(await client.GET('/v1/standups', {params: {query}}));
  const yesterday = new Date(outside.now());
  yesterday.setHours(-24, 0, 0, 0);
  const since = data[0] === undefined ? yesterday : new Date(data[0].created_at);
  return draftFromCommits(outside, [outside.cwd, ...(profile.repositories ?? [])], since);
}

function showPosted(session: Session, standups: readonly Schema<'ShownStandup'>[]): void {
  const {outside, json} = session;
  if (json) return printBody(session);
  const [first] = standups;
  const teams = standups.map(({team}) => line(team)).join(', ');
  outside.print(`${outside.emphasize(`Posted for ${teams}, ${line(first?.date ?? '')}:`, 'green')}\n`);
  outside.print(`${paragraph(first?.update ?? '')}\n`);
  outside.print(`${outside.emphasize('Undo: standup undo', 'dim')}\n`);
}

async function retryPosts(session: Session): Promise<void> {
  const {outside} = session;
  const kept = listKept(outside);
  const own = kept.filter((post) => isOwn(session, post));
  const others = kept.length - own.length;
  if (own.length === 0 && !session.json) outside.print('Nothing waits to be sent.\n');
  if (others > 0) {
    outside.warn(
      `${others === 1 ? 'One update was' : `${others} updates were`} kept by another sign-in, and ${others === 1 ? 'stays' : 'stay'} kept.\n`,
    );
  }
  let refusal: CommandError | undefined;
  for (const post of own) {
    try {
      const {arrived, standups} = await resendPost(session, post);
      const [first] = standups;
      if (!arrived) showPosted(session, standups);
      else if (!session.json)
        outside.print(`Already posted: ${line(first?.team ?? '')}, ${line(first?.date ?? '')}.\n`);
    } catch (error) {
      const isKept = listKept(outside).some(({ref}) => ref === post.ref);
      if (!isRefusal(error) || isKept) throw error;
      outside.warn(`${paragraph(error.message, '')}\n`);
      showTyped(session, post.body);
      refusal = error;
    }
  }
  if (refusal !== undefined)
    throw new CommandError(refusal.reason, 'An update was refused, and is no longer kept.');
}

/** True if the service has decided: the same request would be refused again. */
const isRefusal = (error: unknown): error is CommandError =>
  error instanceof CommandError && error.reason !== 'unreachable' && error.reason !== 'signIn';

function showTyped({outside}: Session, content: Content): void {
  outside.warn(`Your text was:\n\n${paragraph(readableContent(content))}\n\n`);
}
