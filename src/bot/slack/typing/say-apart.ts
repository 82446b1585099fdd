// Answers to one message that is not part of a conversation.
import type {RespondArguments} from '@slack/bolt';
import type {KnownBlock} from '@slack/types';
import {AppError} from '../../../domain/core/errors.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {TypedDue, TypedRecord} from '../../../domain/slack/typed-record.js';
import {presentSaved, presentSavedForAll, formButton} from '../commands/answers.js';
import {parseCommand} from '../../typed/parse-command.js';
import {answerWithoutView} from '../commands/without-view.js';
import type {Kit} from '../door/kit.js';
import {nowhere} from '../blocks/reach.js';
import {explain} from '../door/refusals.js';
import type {Listener, Saying} from './listener.js';
import {editPosted} from './post-typed.js';
import {offerParts, presentParts, type TypedMessage} from './present.js';

/** Sent in place of a process that has ended. */
export async function tellPosted(
  kit: Kit,
  listener: Listener,
  record: TypedRecord,
  id: string,
): Promise<Saying> {
  const done = record.done.find((one) => one.id === id);
  const found = await Promise.all(
    (done?.standups ?? []).map((one) =>
      kit.services.standups.findStandup(listener.call, one.id).catch(() => undefined),
    ),
  );
  return {
    message: presentPosted(
      listener,
      found.flatMap((standup) => standup ?? []),
    ),
  };
}

/** Says which teams it was posted for, with its author's actions. */
export function presentPosted(
  {visit: {reader}, place}: Listener,
  standups: readonly Standup[],
): TypedMessage {
  const saved = standups.map((standup) => ({
    standup,
    team: place.directory.byReference(standup.team_id) ?? nowhere(reader.words.typing.aTeam),
  }));
  const [first] = saved;
  if (first === undefined) return presentParts(reader, {sentences: [reader.words.typing.over]});
  return messageOf(
    saved.length === 1 ? presentSaved(reader, first.standup, first.team) : presentSavedForAll(reader, saved),
  );
}

/** A private answer as a message of a direct conversation. */
export function messageOf(answer: RespondArguments): TypedMessage {
  const text = answer.text ?? '';
  const blocks = 'blocks' in answer ? (answer.blocks as KnownBlock[] | undefined) : undefined;
  return {text, blocks: blocks ?? []};
}

/** A subcommand of `/standup`, typed to the bot. */
export async function runCommand(
  kit: Kit,
  {visit}: Listener,
  {ts, text}: Extract<TypedDue, {is: 'command'}>,
): Promise<TypedMessage> {
  const parsed = parseCommand(text.trim());
  const asked = parsed.kind === 'update' ? ({kind: 'form'} as const) : parsed;
  return messageOf(await answerWithoutView(kit, {...visit, triggerId: `typed-${ts}`}, asked));
}

export async function offer(
  kit: Kit,
  {visit, place, call}: Listener,
  record: TypedRecord,
  ts: string,
): Promise<Saying> {
  const found = record.offers.find((one) => one.ts === ts);
  if (found === undefined) return {};
  const {standups} = kit.services;
  const mine = await kit.visitors.listPostable(place, call.principal.id, call.deadline);
  const dates = await standups.findDates(call, mine, call.principal.id);
  const teams = await Promise.all(
    mine.map(async (team) => {
      const date = dates.get(team.id) ?? '';
      const query = {author: call.principal.id, team: team.id, dateFrom: date, dateTo: date, limit: 1};
      const {rows} = await standups.listStandups(call, query);
      return {team, date, hasPosted: rows.length > 0};
    }),
  );
  return {message: presentParts(visit.reader, offerParts(visit.reader, found, teams))};
}

export async function editAnswer(
  kit: Kit,
  listener: Listener,
  record: TypedRecord,
  due: Extract<TypedDue, {is: 'edit-posted'}>,
): Promise<Saying> {
  const {visit, call} = listener;
  const {reader} = visit;
  const done = record.done.findLast(({slots}) => Object.hasOwn(slots, due.ts));
  if (done === undefined) return {};
  try {
    const changed = await editPosted(kit, listener, due, done, reader);
    kit.refreshHome(visit.origin, visit.user);
    return {message: presentPosted(listener, changed)};
  } catch (error) {
    const {sentence} =
      error instanceof AppError && error.code === 'not_found'
        ? {sentence: reader.words.form.gone}
        : explain(error, kit.log, kit.drawReference(), reader.words);
    const [first] = done.standups;
    const edit =
      first && formButton(reader.words.command.edit, {mode: 'edit', standup: first.id, replaces: true});
    const isThere = call.principal.id !== '' && !(error instanceof AppError && error.code === 'not_found');
    return {
      message: presentParts(reader, {
        sentences: [reader.words.typing.notChanged(sentence)],
        quote: due.text,
        buttons: edit && isThere ? [edit] : [],
      }),
    };
  }
}

export async function deletedAnswer(
  kit: Kit,
  listener: Listener,
  record: TypedRecord,
  ts: string,
): Promise<Saying> {
  const {visit, call} = listener;
  const {reader} = visit;
  const {typing} = reader.words;
  const known = record.done.findLast(({slots}) => Object.hasOwn(slots, ts))?.standups ?? [];
  const found = await Promise.all(
    known.map(({id}) => kit.services.standups.findStandup(call, id).catch(() => undefined)),
  );
  const standing = found.flatMap((standup) => standup ?? []);
  if (standing.length === 0) return {message: presentParts(reader, {sentences: [reader.words.form.gone]})};
  const {blocks} = presentPosted(listener, standing);
  const said = presentParts(reader, {sentences: [typing.deletedPosted]});
  return {message: {...said, blocks: [...said.blocks, ...blocks.filter(({type}) => type === 'actions')]}};
}
