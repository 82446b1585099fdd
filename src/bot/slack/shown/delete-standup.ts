import type {RespondArguments, ViewOutput, ViewResponseAction} from '@slack/bolt';
import type {KnownBlock, ModalView} from '@slack/types';
import {everyScope} from '../../../domain/core/access.js';
import {wholeText} from '../../../domain/questions/answers.js';
import {AppError, plainRefusal} from '../../../domain/core/errors.js';
import type {Standup} from '../../../domain/standups/standup.js';
import {nameInText} from '../../words/bidi.js';
import {plainText, privately, writtenText} from '../blocks/blocks.js';
import {parseValue} from '../blocks/button-value.js';
import {presentUndone} from '../commands/answers.js';
import {undoStandup} from '../commands/undo.js';
import {addressOf, readAddress} from '../door/answer-address.js';
import type {Kit, Visit} from '../door/kit.js';
import {modal, type ModalParts} from '../blocks/inputs.js';
import {views} from '../blocks/names.js';
import {openView} from '../door/open-view.js';
import type {Reader} from '../blocks/reader.js';
import {type ChosenStandup, parseChosen} from './standup-menu.js';

/**
 * A standup that the person who asks may delete, with its author's name if it is not theirs; or one of theirs
 * that is gone.
 */
type Asked =
  | {readonly standup: Standup; readonly team: string; readonly author: string | undefined}
  | {readonly gone: Standup};

/**
 * Asks before it deletes; refuses a person who may not, and says when it is gone, with the text if it was
 * their own.
 */
export async function askToDelete(kit: Kit, visit: Visit, chosen: ChosenStandup): Promise<void> {
  const {reader, thread} = visit;
  const words = reader.words.shown;
  const answer = addressOf(visit, kit.slackNow());
  const metadata = JSON.stringify({chosen, answer, thread});
  await openView<Asked>(kit, visit, {
    load: (deadline) => findAsked(kit, visit, chosen, deadline),
    present: (asked) => presentQuestion(reader, asked, metadata),
    loading: presentSentence(reader, words.loading),
    presentNote: ({sentence}) => presentSentence(reader, sentence),
    presentRefusal: ({sentence}) => ({...privately(sentence), replace_original: false}),
    retry: {...privately(words.retry), replace_original: false},
  });
}

async function findAsked(
  {visitors, services: {standups}}: Kit,
  {origin, user, reader}: Visit,
  chosen: ChosenStandup,
  deadline: number,
): Promise<Asked> {
  const place = await visitors.findPlace(origin, deadline);
  const member = await visitors.findMember(place, user, deadline);
  if (member === undefined) throw plainRefusal('forbidden', reader.words.refusal.changeStandup);
  const principal = {type: 'member', id: member, name: user.name} as const;
  const call = {workspace: place.workspace, principal, scopes: everyScope, deadline};
  try {
    const standup = await standups.findChangeable(call, chosen.id);
    const {id, name} = standup.author;
    const team = place.directory.byReference(standup.team_id)?.name ?? '';
    return {standup, team, author: id === member ? undefined : name};
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined;
    if (code !== 'not_found') throw error;
    const gone = await standups.findDeleted(call, chosen);
    if (gone === undefined) throw plainRefusal(code, reader.words.command.gone, {cause: error});
    return {gone};
  }
}

/** Deletes the chosen standup. Undefined closes the modal; `tell` answers privately, with the text. */
export async function deleteChosen(
  kit: Kit,
  view: ViewOutput,
  visit: Visit,
): Promise<{readonly response?: ViewResponseAction; readonly tell?: () => Promise<void>}> {
  const answer = readAddress(view.private_metadata);
  const {thread} = parseValue(view.private_metadata);
  const beside = typeof thread === 'string' ? {thread_ts: thread} : {};
  const chosen = parseChosen(view.private_metadata);
  if (chosen === undefined) return {};
  const message = await undoStandup(kit, visit, chosen, 'anybody');
  if (answer !== undefined && answer.until >= kit.slackNow())
    return {tell: () => kit.respondTo(answer.url, {...message, replace_original: false, ...beside})};
  return {response: {response_action: 'update', view: presentAnswer(visit.reader, message)}};
}

function presentQuestion(reader: Reader, asked: Asked, metadata: string): ModalView {
  if ('gone' in asked)
    return presentModal(reader, presentUndone(reader, asked.gone, {now: false}).blocks, {metadata});
  const {standup, team, author} = asked;
  const words = reader.words.shown;
  const [named, day] = [nameInText(team), reader.day(standup.date)];
  const sentence =
    author === undefined ? words.sure(named, day) : words.sureOf(nameInText(author), named, day);
  const blocks = [
    plainText(sentence),
    writtenText(wholeText(standup), {quote: true, cutNote: reader.words.cutNote}),
  ];
  const {delete: submit, keep: close} = words;
  return presentModal(reader, blocks, {name: views.deleteStandup, metadata, submit, close});
}

function presentSentence(reader: Reader, sentence: string): ModalView {
  return presentModal(reader, [plainText(sentence)]);
}

function presentAnswer(reader: Reader, message: RespondArguments): ModalView {
  const blocks = 'blocks' in message ? (message.blocks as KnownBlock[] | undefined) : undefined;
  return presentModal(reader, blocks ?? [plainText(message.text ?? '')]);
}

function presentModal({words}: Reader, blocks: KnownBlock[], more: Partial<ModalParts> = {}): ModalView {
  const {title, close} = words.shown;
  return modal({title, close, ...more}, blocks);
}
