import type {RespondArguments} from '@slack/bolt';
import type {ModalView} from '@slack/types';
import type {WebClient} from '@slack/web-api';
import {errorCodeOf} from './clients.js';
import type {BotDeps, SlackRequest} from './deps.js';
import {explainError} from './refusals.js';
import {resolveWithin} from './slack-identities.js';

/** The reason for which a modal has nothing to show, and the texts for the person. */
export interface ModalRefusal {
  readonly error: unknown;
  readonly sentence: string;
}

/** A modal whose data may be late. */
export interface ModalOpening<T> {
  /** Loads the data, with no call to Slack. `deadline`: monotonic ms. */
  readonly load: (deadline: number) => Promise<T>;
  readonly present: (data: T) => ModalView;
  /** True when the data lacks something that only Slack knows, which must wait until a view is open. */
  readonly lacks?: (data: T) => boolean;
  /** Completes the data with that. */
  readonly complete?: (data: T, client: WebClient) => Promise<T>;
  /** Shown while the data is late. */
  readonly loading: ModalView;
  /** Presents, in the modal, that the data cannot be read. */
  readonly presentNote: (refusal: ModalRefusal) => ModalView;
  /** True when the modal is the better way for people who are answered by views. */
  readonly isBestShown?: (refusal: ModalRefusal) => boolean;
  /** The private answer where the refusal cannot be shown in a modal. */
  readonly presentRefusal: (refusal: ModalRefusal) => RespondArguments;
  /**
   * A private answer beside a refusal that is shown in a modal: the content that the person would lose with
   * it.
   */
  readonly keepsake?: RespondArguments | undefined;
  /** The private answer when the modal could not be opened in time. */
  readonly retry: RespondArguments;
}

type OpenViewDeps = Pick<BotDeps, 'identities' | 'timeouts' | 'log' | 'generateReference'>;

/** A view of ours as Slack knows it. */
interface OpenedView {
  readonly id: string;
  readonly hash: string;
}

const loadMs = 5_000;

/**
 * Opens a modal within the life of its trigger, with the data loaded by then, and fills in the rest later;
 * makes no other call to Slack before. A request from within a modal replaces that modal, which needs no
 * trigger. Never throws.
 */
export async function openView<T>(
  parts: OpenViewDeps,
  request: SlackRequest,
  opening: ModalOpening<T>,
): Promise<void> {
  const {identities, timeouts} = parts;
  const began = performance.now();
  const loading = toLoadResult(parts, request, opening.load(began + loadMs));
  const client = await resolveWithin(
    identities.findClient(request.origin, began + loadMs).catch(() => undefined),
    timeouts.view,
  );
  const first = await resolveWithin(loading, Math.max(0, began + timeouts.view - performance.now()));
  const refusal = first !== undefined && 'refusal' in first ? first.refusal : undefined;
  const otherwise = refusal === undefined ? opening.retry : opening.presentRefusal(refusal);
  if (refusal !== undefined && !isRefusalShownInView(request, opening, refusal))
    return request.respond(otherwise);
  // There is no client to open it with: not even the installation is known yet.
  if (client === undefined) return request.respond(otherwise);
  const isReady = first !== undefined && !isDataIncomplete(opening, first);
  const view = isReady ? presentLoaded(opening, first) : opening.loading;
  const opened = await open(parts, client, request, view);
  if (opened === undefined) return request.respond(otherwise);
  if (!isReady) await fill(parts, client, request, opened, opening, await loading);
}

/** As `openView`, in place of an open modal, with its hash. */
export async function replaceView<T>(
  parts: OpenViewDeps,
  request: SlackRequest,
  opened: OpenedView,
  opening: ModalOpening<T>,
): Promise<void> {
  const deadline = performance.now() + loadMs;
  const [client, loaded] = await Promise.all([
    parts.identities.findClient(request.origin, deadline),
    toLoadResult(parts, request, opening.load(deadline)),
  ]);
  await fill(parts, client, request, opened, opening, loaded);
}

/** Uses the hash with which it was opened: a view that has changed since stays as it is. */
export async function fillView(
  {log}: Pick<BotDeps, 'log'>,
  client: WebClient,
  request: SlackRequest,
  {id, hash}: OpenedView,
  {view, retry}: {readonly view: ModalView; readonly retry: RespondArguments},
): Promise<void> {
  try {
    await client.views.update({view_id: id, hash, view});
  } catch (error) {
    const code = errorCodeOf(error);
    log.warn({code}, 'could not fill a modal');
    // The person has closed or changed it: then no one waits for it.
    if (code !== 'not_found' && code !== 'hash_conflict') await request.respond(retry);
  }
}

type LoadResult<T> = {readonly data: T} | {readonly refusal: ModalRefusal};

async function toLoadResult<T>(
  {log, generateReference}: OpenViewDeps,
  {translation}: SlackRequest,
  loading: Promise<T>,
): Promise<LoadResult<T>> {
  try {
    return {data: await loading};
  } catch (error) {
    const {sentence} = explainError(error, log, generateReference(), translation.texts);
    return {refusal: {error, sentence}};
  }
}

/** A refusal replaces an open modal; otherwise it is a private answer, where that can say as much. */
function isRefusalShownInView<T>(
  {within, byView}: SlackRequest,
  opening: ModalOpening<T>,
  refusal: ModalRefusal,
): boolean {
  return within !== undefined || (byView === true && opening.isBestShown?.(refusal) === true);
}

function isDataIncomplete<T>(opening: ModalOpening<T>, loaded: LoadResult<T>): boolean {
  return 'data' in loaded && opening.lacks?.(loaded.data) === true;
}

function presentLoaded<T>(opening: ModalOpening<T>, loaded: LoadResult<T>): ModalView {
  return 'data' in loaded ? opening.present(loaded.data) : opening.presentNote(loaded.refusal);
}

/** Undefined when Slack did not open it. */
async function open(
  {log}: OpenViewDeps,
  client: WebClient,
  {within, triggerId}: SlackRequest,
  view: ModalView,
): Promise<OpenedView | undefined> {
  try {
    const answer =
      within === undefined
        ? await client.views.open({trigger_id: triggerId, view})
        : await client.views.update({view_id: within, view});
    return {id: answer.view?.id ?? '', hash: answer.view?.hash ?? ''};
  } catch (error) {
    log.warn({code: errorCodeOf(error)}, 'could not open a modal');
    return undefined;
  }
}

/** Fills an open modal with data that was loaded late, after completing it. */
async function fill<T>(
  parts: OpenViewDeps,
  client: WebClient,
  request: SlackRequest,
  opened: OpenedView,
  opening: ModalOpening<T>,
  loaded: LoadResult<T>,
): Promise<void> {
  const {complete, keepsake, retry} = opening;
  const late =
    'data' in loaded && isDataIncomplete(opening, loaded) && complete !== undefined
      ? await toLoadResult(parts, request, complete(loaded.data, client))
      : loaded;
  await fillView(parts, client, request, opened, {view: presentLoaded(opening, late), retry});
  if ('refusal' in late && keepsake !== undefined) await request.respond(keepsake);
}
