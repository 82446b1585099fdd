import type {Schema} from '../../client-ts/src/schema.js';
import {need} from './connection.js';
import {askByEditor, explainQuestions, readHeadings, writeHeadings} from './editor.js';
import {CommandError} from './errors.js';
import {expectAct, findLastAct, forgetAct, recordAct} from './last-act.js';
import {findDay, findQuestions} from './post.js';
import {chooseTeam, printBody, type Session} from './session.js';
import {line, paragraph} from './show.js';

/** Replaces the text of the user's newest standup of today. */
export async function editUpdate(
  session: Session,
  words: readonly string[],
  given: string | undefined,
): Promise<void> {
  const {client, outside} = session;
  const team = await chooseTeam(session, given);
  const date = await findDay(session, [team]);
  const query = {team: [team], date, author: 'me', limit: 1};
  const {data} = need(await client.GET('/v1/standups', {params: {query}}));
  const [standup] = data;
  if (standup === undefined) {
    throw new CommandError('notFound', `You have not posted for ${team} on ${date}. Post: standup post`);
  }
  const changed = await sendEdit(session, standup, await readChange(session, standup, words));
  recordAct(session, 'edit', [changed]);
  if (session.json) return printBody(session);
  outside.print(
    `${outside.emphasize(`Changed for ${line(changed.team)}, ${line(changed.date)}:`, 'green')}\n`,
  );
  outside.print(`${paragraph(changed.update)}\n${outside.emphasize('Undo: standup undo', 'dim')}\n`);
}

async function readChange(
  session: Session,
  {team, date, update, answers}: Schema<'Standup'>,
  words: readonly string[],
): Promise<Schema<'StandupChange'>> {
  const {outside} = session;
  const text = words.length > 0 ? words.join(' ') : await outside.readInput();
  const nothing = new CommandError('usage', 'The text is empty. Nothing was changed.');
  if (text !== undefined) {
    if (text.trim() === '') throw nothing;
    return {update: text.trim(), ...(answers.length > 0 && {answers: null})};
  }
  if (!outside.isInteractive)
    throw new CommandError('usage', 'Give the new text: standup edit "Fixed the importer."');
  const questions = answers.length === 0 ? [] : await findQuestions(session, team);
  const notes = [`Change your update for ${team} (${date}) above this line, save, and close the editor.`];
  const before = answers.length === 0 ? update : writeHeadings(questions, answers);
  const saved = await askByEditor(outside, before, [...notes, ...explainQuestions(questions)]);
  if (saved === '') throw nothing;
  const change = readHeadings(saved, questions);
  return change.answers === undefined && answers.length > 0 ? {...change, answers: null} : change;
}

/** Changes a standup at the revision that the user has seen. */
async function sendEdit(
  session: Session,
  {id: standup, revision}: {readonly id: string; readonly revision: number},
  body: Schema<'StandupChange'>,
): Promise<Schema<'Standup'>> {
  const {client, outside} = session;
  const header = {'Idempotency-Key': outside.createId(), 'If-Match': `"${revision}"`};
  const restoreAct = expectAct(session);
  try {
    return need(await client.PATCH('/v1/standups/{standup}', {params: {path: {standup}, header}, body}));
  } catch (error) {
    if (error instanceof CommandError && error.reason !== 'unreachable') restoreAct();
    throw error;
  }
}

const undoWithinMs = 15 * 60_000;

/** Takes back the user's last post or edit with this command. */
export async function undo(session: Session): Promise<void> {
  const {client, outside} = session;
  const act = findLastAct(session);
  const isRecent = act !== undefined && outside.now() - act.at < undoWithinMs;
  if (!isRecent)
    throw new CommandError(
      'refused',
      'There is nothing to undo: you did nothing here in the last 15 minutes.',
    );
  if (act.kind === 'unknown') {
    throw new CommandError('refused', 'It is not known whether your last change arrived. See: standup today');
  }
  if (act.kind === 'post') {
    for (const {id: standup, revision} of act.standups) {
      const header = {'Idempotency-Key': `undo-${standup}-${revision}`, 'If-Match': `"${revision}"`};
      const answer = await client.DELETE('/v1/standups/{standup}', {params: {path: {standup}, header}});
      // One that is gone already needs no deletion, also if an earlier `undo` was interrupted.
      if (answer.response.status !== 404) need(answer);
    }
    forgetAct(session);
    outside.print(session.json ? '' : 'Your update was deleted.\n');
    return;
  }
  const [edited] = act.standups;
  const standup = edited?.id ?? '';
  const params = {path: {standup}, query: {limit: 1}};
  const {data} = need(await client.GET('/v1/standups/{standup}/revisions', {params}));
  const [before] = data;
  if (before === undefined || edited === undefined) {
    throw new CommandError('refused', 'The text before is no longer kept.');
  }
  const answers = before.answers.map(({question, value}) => ({question, value}));
  const changed = await sendEdit(session, edited, {
    update: before.update,
    answers: answers.length > 0 ? answers : null,
    date: before.date,
  });
  forgetAct(session);
  if (session.json) return printBody(session);
  outside.print(`Your update says again:\n${paragraph(changed.update)}\n`);
}
