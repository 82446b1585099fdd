import type {RespondArguments} from '@slack/bolt';
import type {ModalView} from '@slack/types';
import type {WebClient} from '@slack/web-api';
import {privateAnswer} from '../blocks/blocks.js';
import {errorCodeOf} from './clients.js';
import type {SlackContext, SlackRequest} from './context.js';
import {explainError} from './refusals.js';
import {resolveWithin} from './resolve-within.js';

export interface ModalRefusal {
  readonly error: unknown;
  readonly sentence: string;
}

/** A modal to open. Its data may take longer than Slack allows for opening. */
export interface ModalOpening<T> {
  /** Loads the data without a call to Slack. `deadline`: monotonic time (ms). */
  readonly load: (deadline: number) => Promise<T>;
  readonly present: (data: T) => ModalView;
  /** True if the data lacks something that only Slack knows. Slack is asked after the modal is open. */
  readonly lacks?: (data: T) => boolean;
  readonly complete?: (data: T, client: WebClient) => Promise<T>;
  /** The sentence that the modal shows until the data is loaded. */
  readonly loading: string;
  readonly presentNote: (refusal: ModalRefusal) => ModalView;
  /** True if a request without an answer address is better refused in a modal than in a direct message. */
  readonly isBestShown?: (refusal: ModalRefusal) => boolean;
  /** Presents the refusal as a private answer, for when it cannot be shown in a modal. Default: its sentence. */
  readonly presentRefusal?: (refusal: ModalRefusal) => RespondArguments;
  /** A further private answer if a refusal is shown in a modal: the text that would otherwise be lost. */
  readonly keepsake?: RespondArguments | undefined;
  /** The private answer when the modal could not be opened in time. */
  readonly retry: RespondArguments;
}

interface OpenedView {
  readonly id: string;
  readonly hash: string;
}

const loadMs = 5_000;

/**
 * Opens a modal while its trigger is valid, without another call to Slack before, and fills in late data. A
 * request from within a modal replaces that modal. Never throws.
 */
export async function openView<T>(
  context: SlackContext,
  request: SlackRequest,
  opening: ModalOpening<T>,
): Promise<void> {
  const {identities, timeouts} = context;
  const began = performance.now();
  const loading = catchLoadFailure(context, request, opening.load(began + loadMs));
  const client = await resolveWithin(
    identities.findClient(request.origin, began + loadMs).catch(() => undefined),
    timeouts.view,
  );
  const first = await resolveWithin(loading, Math.max(0, began + timeouts.view - performance.now()));
  const refusal = first !== undefined && 'refusal' in first ? first.refusal : undefined;
  const otherwise =
    refusal === undefined
      ? opening.retry
      : (opening.presentRefusal?.(refusal) ?? privateAnswer(refusal.sentence));
  if (refusal !== undefined && !isRefusalShownInView(request, opening, refusal))
    return request.respond(otherwise);
  // The modal cannot be opened without a client: not even the installation is known yet.
  if (client === undefined) return request.respond(otherwise);
  const isReady = first !== undefined && !isDataIncomplete(opening, first);
  const view = isReady
    ? presentLoadedModal(opening, first)
    : opening.presentNote({error: undefined, sentence: opening.loading});
  const opened = await openModal(context, client, request, view);
  if (opened === undefined) return request.respond(otherwise);
  if (!isReady) await fillModal(context, client, request, opened, opening, await loading);
}

export async function replaceView<T>(
  context: SlackContext,
  request: SlackRequest,
  opened: OpenedView,
  opening: ModalOpening<T>,
): Promise<void> {
  const deadline = performance.now() + loadMs;
  const [client, loaded] = await Promise.all([
    context.identities.findClient(request.origin, deadline),
    catchLoadFailure(context, request, opening.load(deadline)),
  ]);
  await fillModal(context, client, request, opened, opening, loaded);
}

/** Updates an open modal. The hash makes Slack refuse the update if the modal has changed since. */
export async function updateModal(
  {log}: SlackContext,
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
    // If the person closed or changed the modal, no one waits for its content.
    if (code !== 'not_found' && code !== 'hash_conflict') await request.respond(retry);
  }
}

type LoadResult<T> = {readonly data: T} | {readonly refusal: ModalRefusal};

async function catchLoadFailure<T>(
  context: SlackContext,
  {translation}: SlackRequest,
  loading: Promise<T>,
): Promise<LoadResult<T>> {
  try {
    return {data: await loading};
  } catch (error) {
    const {sentence} = explainError(context, error, translation.texts);
    return {refusal: {error, sentence}};
  }
}

/** True if the refusal is shown in a modal, because it replaces one. Otherwise the answer is private. */
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

function presentLoadedModal<T>(opening: ModalOpening<T>, loaded: LoadResult<T>): ModalView {
  return 'data' in loaded ? opening.present(loaded.data) : opening.presentNote(loaded.refusal);
}

async function openModal(
  {log}: SlackContext,
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

async function fillModal<T>(
  context: SlackContext,
  client: WebClient,
  request: SlackRequest,
  opened: OpenedView,
  opening: ModalOpening<T>,
  loaded: LoadResult<T>,
): Promise<void> {
  const {complete, keepsake, retry} = opening;
  const late =
    'data' in loaded && isDataIncomplete(opening, loaded) && complete !== undefined
      ? await catchLoadFailure(context, request, complete(loaded.data, client))
      : loaded;
  await updateModal(context, client, request, opened, {view: presentLoadedModal(opening, late), retry});
  if ('refusal' in late && keepsake !== undefined) await request.respond(keepsake);
}
