import type {RespondArguments} from '@slack/bolt';
import type {ModalView} from '@slack/types';
import type {WebClient} from '@slack/web-api';
import {errorCodeOf} from './clients.js';
import type {Kit, Visit} from './kit.js';
import {explain} from './refusals.js';
import {soon} from './visitors.js';

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
  /** A sentence in the modal's place, for when the data cannot be read. */
  readonly presentNote: (sentence: string) => ModalView;
  /** Told privately where the sentence cannot be shown in a modal. */
  readonly presentRefusal: (sentence: string) => RespondArguments;
  /** Told privately when the modal could not be opened in time. */
  readonly retry: RespondArguments;
}

const loadMs = 5_000;

/**
 * Opens a modal within the life of its trigger, with what could be read by then, and fills it when the rest is there; makes no other call to
 * Slack before. Asked for from within a modal, it takes that one's place, which needs no trigger. Never throws.
 */
export async function openView<T>(kit: Kit, visit: Visit, opening: Opening<T>): Promise<void> {
  const {visitors, patience, log} = kit;
  const began = performance.now();
  const loading = settle(opening.load(began + loadMs));
  const client = await soon(
    visitors.findClient(visit.origin, began + loadMs).catch(() => undefined),
    patience.view,
  );
  const first = await soon(loading, Math.max(0, began + patience.view - performance.now()));
  const isModalOpen = visit.within !== undefined;
  const refusal = first !== undefined && 'error' in first ? say(kit, visit, first.error) : undefined;
  if (refusal !== undefined && !isModalOpen) return visit.respond(opening.presentRefusal(refusal));
  // Nothing to open it with: not even whose token it would need is known yet.
  if (client === undefined) return visit.respond(opening.retry);
  const isWhole = (data: T) => opening.lacks?.(data) !== true;
  const whole = first !== undefined && 'data' in first && isWhole(first.data) ? first.data : undefined;
  const view =
    refusal !== undefined
      ? opening.presentNote(refusal)
      : whole === undefined
        ? opening.loading
        : opening.present(whole);
  let opened: {view_id: string; hash: string};
  try {
    const answer = isModalOpen
      ? await client.views.update({view_id: visit.within, view})
      : await client.views.open({trigger_id: visit.triggerId, view});
    opened = {view_id: answer.view?.id ?? '', hash: answer.view?.hash ?? ''};
  } catch (error) {
    log.warn({code: errorCodeOf(error)}, 'a modal could not be opened');
    return visit.respond(opening.retry);
  }
  if (refusal !== undefined || whole !== undefined) return;
  const late = await completed(await loading, client);
  const filled =
    'error' in late ? opening.presentNote(say(kit, visit, late.error)) : opening.present(late.data);
  try {
    // With the hash it was opened with: a view that has changed since is left alone.
    await client.views.update({...opened, view: filled});
  } catch (error) {
    const code = errorCodeOf(error);
    log.warn({code}, 'a modal could not be filled');
    // Closed by the person, or changed: then nobody waits for it.
    if (code !== 'not_found' && code !== 'hash_conflict') await visit.respond(opening.retry);
  }

  async function completed(loaded: Loaded<T>, by: WebClient): Promise<Loaded<T>> {
    if ('error' in loaded || isWhole(loaded.data) || opening.complete === undefined) return loaded;
    return settle(opening.complete(loaded.data, by));
  }
}

type Loaded<T> = {readonly data: T} | {readonly error: unknown};

async function settle<T>(loading: Promise<T>): Promise<Loaded<T>> {
  try {
    return {data: await loading};
  } catch (error) {
    return {error};
  }
}

function say({log, drawReference}: Kit, {reader}: Visit, error: unknown): string {
  return explain(error, log, drawReference(), reader.words).sentence;
}
