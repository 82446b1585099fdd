import type {RespondArguments} from '@slack/bolt';
import type {ModalView} from '@slack/types';
import type {WebClient} from '@slack/web-api';
import {errorCodeOf} from './clients.js';
import type {Kit, Visit} from './kit.js';
import {explain} from './refusals.js';
import {soon} from './visitors.js';

/** Why a modal has nothing to show, and how people are told. */
export interface Refusal {
  readonly error: unknown;
  readonly sentence: string;
}

/** A modal that is made from data which may be late. */
export interface Opening<T> {
  /** Reads what it is made from, with no call to Slack. `deadline`: monotonic ms. */
  readonly load: (deadline: number) => Promise<T>;
  readonly present: (data: T) => ModalView;
  /** Whether something is missing that only Slack can tell, which must wait until a view is open. */
  readonly lacks?: (data: T) => boolean;
  /** The data with that. */
  readonly complete?: (data: T, client: WebClient) => Promise<T>;
  /** Shown while the data is late. */
  readonly loading: ModalView;
  /** Shown in the modal's place, for when the data cannot be read. */
  readonly presentNote: (refusal: Refusal) => ModalView;
  /** Whether it is shown so to everybody whose answers are views. */
  readonly isBestShown?: (refusal: Refusal) => boolean;
  /** Told privately where the refusal cannot be shown in a modal. */
  readonly presentRefusal: (refusal: Refusal) => RespondArguments;
  /** Told privately beside a refusal that is shown in a modal: what the person would lose with it. */
  readonly keepsake?: RespondArguments | undefined;
  /** Told privately when the modal could not be opened in time. */
  readonly retry: RespondArguments;
}

type Parts = Pick<Kit, 'visitors' | 'patience' | 'log' | 'drawReference'>;

/** A view of ours as Slack knows it. */
interface Opened {
  readonly id: string;
  readonly hash: string;
}

const loadMs = 5_000;

/**
 * Opens a modal within the life of its trigger, with what could be read by then, and fills it when the rest
 * is there; makes no other call to Slack before. Asked for from within a modal, it takes that one's place,
 * which needs no trigger. Never throws.
 */
export async function openView<T>(parts: Parts, visit: Visit, opening: Opening<T>): Promise<void> {
  const {visitors, patience} = parts;
  const began = performance.now();
  const loading = settle(parts, visit, opening.load(began + loadMs));
  const client = await soon(
    visitors.findClient(visit.origin, began + loadMs).catch(() => undefined),
    patience.view,
  );
  const first = await soon(loading, Math.max(0, began + patience.view - performance.now()));
  const refusal = first !== undefined && 'refusal' in first ? first.refusal : undefined;
  const otherwise = refusal === undefined ? opening.retry : opening.presentRefusal(refusal);
  if (refusal !== undefined && !isShown(visit, opening, refusal)) return visit.respond(otherwise);
  // Nothing to open it with: not even whose token it would need is known yet.
  if (client === undefined) return visit.respond(otherwise);
  const isReady = first !== undefined && !lacks(opening, first);
  const view = isReady ? presentLoaded(opening, first) : opening.loading;
  const opened = await open(parts, client, visit, view);
  if (opened === undefined) return visit.respond(otherwise);
  if (!isReady) await fill(parts, client, visit, opened, opening, await loading);
}

/** As `openView`, in the place of a modal that is open, with its hash. */
export async function replaceView<T>(
  parts: Parts,
  visit: Visit,
  opened: Opened,
  opening: Opening<T>,
): Promise<void> {
  const deadline = performance.now() + loadMs;
  const [client, loaded] = await Promise.all([
    parts.visitors.findClient(visit.origin, deadline),
    settle(parts, visit, opening.load(deadline)),
  ]);
  await fill(parts, client, visit, opened, opening, loaded);
}

/** With the hash it was opened with: a view that has changed since is left alone. */
export async function fillView(
  {log}: Pick<Kit, 'log'>,
  client: WebClient,
  visit: Visit,
  {id, hash}: Opened,
  {view, retry}: {readonly view: ModalView; readonly retry: RespondArguments},
): Promise<void> {
  try {
    await client.views.update({view_id: id, hash, view});
  } catch (error) {
    const code = errorCodeOf(error);
    log.warn({code}, 'a modal could not be filled');
    // Closed by the person, or changed: then nobody waits for it.
    if (code !== 'not_found' && code !== 'hash_conflict') await visit.respond(retry);
  }
}

type Loaded<T> = {readonly data: T} | {readonly refusal: Refusal};

async function settle<T>(
  {log, drawReference}: Parts,
  {reader}: Visit,
  loading: Promise<T>,
): Promise<Loaded<T>> {
  try {
    return {data: await loading};
  } catch (error) {
    const {sentence} = explain(error, log, drawReference(), reader.words);
    return {refusal: {error, sentence}};
  }
}

/** A refusal takes the place of a modal that is open; otherwise it is told, where that can say as much. */
function isShown<T>({within, byView}: Visit, opening: Opening<T>, refusal: Refusal): boolean {
  return within !== undefined || (byView === true && opening.isBestShown?.(refusal) === true);
}

function lacks<T>(opening: Opening<T>, loaded: Loaded<T>): boolean {
  return 'data' in loaded && opening.lacks?.(loaded.data) === true;
}

function presentLoaded<T>(opening: Opening<T>, loaded: Loaded<T>): ModalView {
  return 'data' in loaded ? opening.present(loaded.data) : opening.presentNote(loaded.refusal);
}

/** Undefined when Slack did not open it. */
async function open(
  {log}: Parts,
  client: WebClient,
  {within, triggerId}: Visit,
  view: ModalView,
): Promise<Opened | undefined> {
  try {
    const answer =
      within === undefined
        ? await client.views.open({trigger_id: triggerId, view})
        : await client.views.update({view_id: within, view});
    return {id: answer.view?.id ?? '', hash: answer.view?.hash ?? ''};
  } catch (error) {
    log.warn({code: errorCodeOf(error)}, 'a modal could not be opened');
    return undefined;
  }
}

/** Fills a modal that is open with what has been loaded late, and completes that first. */
async function fill<T>(
  parts: Parts,
  client: WebClient,
  visit: Visit,
  opened: Opened,
  opening: Opening<T>,
  loaded: Loaded<T>,
): Promise<void> {
  const {complete, keepsake, retry} = opening;
  const late =
    'data' in loaded && lacks(opening, loaded) && complete !== undefined
      ? await settle(parts, visit, complete(loaded.data, client))
      : loaded;
  await fillView(parts, client, visit, opened, {view: presentLoaded(opening, late), retry});
  if ('refusal' in late && keepsake !== undefined) await visit.respond(keepsake);
}
