import type {Schema} from '../../client-ts/src/schema.js';
import {need} from './connection.js';
import {CommandError} from './errors.js';
import {chooseTeam, printBody, type Session} from './session.js';
import {line, paragraph} from './show.js';

/** The part of a draft that this command writes. Others come from programs. */
const ownSource = 'notes';

export interface DraftOptions {
  readonly team?: string;
  readonly date?: string;
}

export async function findDraft(session: Session, {team, date}: DraftOptions): Promise<Schema<'Draft'>> {
  const query = {team: await chooseTeam(session, team), ...(date !== undefined && {date})};
  const params = {path: {member: 'me'}, query};
  return need(await session.client.GET('/v1/drafts/{member}', {params}));
}

/** Shows what programs and the user have prepared for the next standup. */
export async function showDraft(session: Session, options: DraftOptions): Promise<void> {
  const draft = await findDraft(session, options);
  if (session.json) return printBody(session);
  const {outside} = session;
  const about = `${line(draft.team)}, ${line(draft.date)}`;
  if (draft.parts.length === 0) return outside.print(`There is no draft for ${about}.\n`);
  outside.print(`${outside.emphasize(about, 'bold')}\n`);
  for (const {source, update, answers, links} of draft.parts) {
    outside.print(`\n${outside.emphasize(`From ${line(source)}`, 'bold')}\n`);
    const texts = [update ?? '', ...answers.map(({value}) => [value].flat().join(', '))];
    for (const text of texts.filter(Boolean)) outside.print(`${paragraph(text)}\n`);
    for (const {title, url} of links) outside.print(`  ${line(title)}  ${line(url)}\n`);
  }
  outside.print(`\n${outside.emphasize('Post it: standup post --from draft', 'dim')}\n`);
}

/** Replaces the notes of the user in the draft. The parts of programs stay. */
export async function writeDraft(session: Session, text: string, options: DraftOptions): Promise<void> {
  if (text === '')
    throw new CommandError('usage', 'Give a text: standup draft set "Started the retry page."');
  const {client, outside} = session;
  const body = {team: await chooseTeam(session, options.team), source: ownSource, update: text};
  const params = {path: {member: 'me'}, header: {'Idempotency-Key': outside.createId()}};
  const dated = {...body, ...(options.date !== undefined && {date: options.date})};
  need(await client.PUT('/v1/drafts/{member}', {params, body: dated}));
  if (session.json) return printBody(session);
  outside.print(`Noted.\n${outside.emphasize('Post it: standup post --from draft', 'dim')}\n`);
}
