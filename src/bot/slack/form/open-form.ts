import type {RespondArguments} from '@slack/bolt';
import type {KnownBlock, ModalView} from '@slack/types';
import {type WebClient, WebAPIPlatformError} from '@slack/web-api';
import {plainText, privately, writtenText} from '../blocks/blocks.js';
import {formButton} from '../commands/answers.js';
import type {Kit, Visit} from '../door/kit.js';
import {explain} from '../door/refusals.js';
import {presentSetupAnswer, presentSetupNote} from '../setup/offer.js';
import {NoTeam, soon} from '../door/visitors.js';
import type {Reader} from '../../words/words.js';
import {presentForm, presentLoading, presentNote} from './form-view.js';
import type {FormWish} from './form-wish.js';
import {type Loaded, type LoadParts, loadForm} from './load-form.js';

export type FormParts = LoadParts & Pick<Kit, 'patience' | 'log' | 'drawReference'>;

const loadMs = 5_000;

type Settled = Loaded | {readonly error: unknown};

/**
 * Opens the form within the life of its trigger, with what could be read by then; makes no other call to
 * Slack before.
 */
export async function openForm(
  parts: FormParts,
  visit: Visit,
  wish: FormWish = {mode: 'auto'},
): Promise<void> {
  const {visitors, patience, log, drawReference} = parts;
  const {reader} = visit;
  const began = performance.now();
  const loading = settle(loadForm(parts, visit, wish, began + loadMs));
  const client = await soon(
    visitors.findClient(visit.origin, began + loadMs).catch(() => undefined),
    patience.view,
  );
  const first = await soon(loading, began + patience.view - performance.now());
  if (first !== undefined && 'error' in first) {
    if (first.error instanceof NoTeam) {
      if (visit.byView === true && client !== undefined && (await offerInView(client, visit, wish))) return;
      return visit.respond(presentSetupAnswer(reader, channelFor(visit, wish), wish.text));
    }
    const {sentence} = explain(first.error, log, drawReference(), reader.words);
    return visit.respond(withText(sentence, reader, wish));
  }
  if (first !== undefined && 'nothing' in first) return visit.respond(presentNothing(reader, first.nothing));
  // Nothing to open it with: not even whose token it would need is known yet.
  if (client === undefined) return visit.respond(presentRetry(reader, wish));
  let opened: {id: string; hash: string};
  try {
    const view = first === undefined ? presentLoading(reader) : presentForm(reader, first.data);
    const answer = await client.views.open({trigger_id: visit.triggerId, view});
    opened = {id: answer.view?.id ?? '', hash: answer.view?.hash ?? ''};
  } catch (error) {
    log.warn({code: codeOf(error)}, 'the standup form could not be opened');
    return visit.respond(presentRetry(reader, wish));
  }
  if (first !== undefined) return;
  const settled = await loading;
  await fillView(parts, client, visit, opened, presentSettled(parts, visit, settled, wish), wish);
  // The view has room for the reason alone.
  if ('error' in settled && wish.text !== undefined)
    await visit.respond(withText(reader.words.form.notFilled, reader, wish));
}

/** Where an answer is a view, so that its button can be there. False when the trigger is used up. */
async function offerInView(client: WebClient, visit: Visit, wish: FormWish): Promise<boolean> {
  try {
    const view = presentSetupNote(visit.reader, channelFor(visit, wish));
    await client.views.open({trigger_id: visit.triggerId, view});
    return true;
  } catch {
    return false;
  }
}

/** The channel that a set-up is offered for: none where its team does not count, since it has one. */
function channelFor({channel}: Visit, {ownTeams}: FormWish): string {
  return ownTeams === true ? '' : channel;
}

/**
 * Puts another form in the place of an opened one, within the view that `opened` names. Without an answer
 * of its own, since a view has no address for it.
 */
export async function replaceForm(
  parts: FormParts,
  visit: Visit,
  opened: {readonly id: string; readonly hash: string},
  wish: FormWish,
): Promise<void> {
  const deadline = performance.now() + loadMs;
  const [client, settled] = await Promise.all([
    parts.visitors.findClient(visit.origin, deadline),
    settle(loadForm(parts, visit, wish, deadline)),
  ]);
  await fillView(parts, client, visit, opened, presentSettled(parts, visit, settled, wish), wish);
}

/** With the hash it was opened with: a view that has changed since is left alone. */
export async function fillView(
  {log}: Pick<FormParts, 'log'>,
  client: WebClient,
  visit: Visit,
  opened: {readonly id: string; readonly hash: string},
  view: ModalView,
  wish: FormWish,
): Promise<void> {
  try {
    await client.views.update({view_id: opened.id, hash: opened.hash, view});
  } catch (error) {
    const code = codeOf(error);
    log.warn({code}, 'the standup form could not be filled');
    // Closed by the person, or changed: then nobody waits for it.
    if (code !== 'not_found' && code !== 'hash_conflict')
      await visit.respond(presentRetry(visit.reader, wish));
  }
}

async function settle(loading: Promise<Loaded>): Promise<Settled> {
  try {
    return await loading;
  } catch (error) {
    return {error};
  }
}

function presentSettled(
  {log, drawReference}: FormParts,
  visit: Visit,
  settled: Settled,
  wish: FormWish,
): ModalView {
  const {reader} = visit;
  if ('data' in settled) return presentForm(reader, settled.data);
  if ('error' in settled && settled.error instanceof NoTeam)
    return presentSetupNote(reader, channelFor(visit, wish));
  if ('error' in settled)
    return presentNote(reader, explain(settled.error, log, drawReference(), reader.words).sentence);
  return presentNote(reader, reader.words.form.nothingToday, {mode: 'new', team: settled.nothing.team});
}

function presentNothing(reader: Reader, {team}: {readonly team?: string | undefined}): RespondArguments {
  return withButton(reader.words.form.nothingToday, reader, {mode: 'new', team});
}

function presentRetry(reader: Reader, wish: FormWish): RespondArguments {
  return withButton(reader.words.form.notOpened, reader, wish);
}

/** A sentence with a button that opens the form, and with the text that was to stand in it. */
function withButton(sentence: string, reader: Reader, wish: FormWish): RespondArguments {
  const {blocks, ...told} = withText(sentence, reader, wish);
  const button = formButton(reader.words.form.open, {...wish, replaces: true});
  return {...told, blocks: [...blocks, {type: 'actions', elements: [button]}]};
}

function withText(
  sentence: string,
  {words}: Reader,
  {text}: FormWish,
): RespondArguments & {blocks: KnownBlock[]} {
  const said = text === undefined ? sentence : `${sentence} ${words.form.yourText(text)}`;
  const blocks = [plainText(sentence), ...(text === undefined ? [] : [writtenText(text, {quote: true})])];
  return {...privately(said), blocks};
}

function codeOf(error: unknown): string {
  return error instanceof WebAPIPlatformError ? error.data.error : 'no_answer';
}
