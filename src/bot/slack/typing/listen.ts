import {createCache} from '../../../domain/core/cache.js';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {AppError} from '../../../domain/core/errors.js';
import type {Heard} from '../../../service/slack/heard-changes.js';
import type {Turn} from '../../../service/slack/typing.js';
import {listenToButton, listenToEvent} from '../door/listeners.js';
import {privately} from '../blocks/blocks.js';
import {postUpdate} from '../commands/post.js';
import {openForm} from '../form/open-form.js';
import type {Kit, Visit} from '../door/kit.js';
import {actions} from '../blocks/names.js';
import {explain} from '../door/refusals.js';
import {findNames} from '../rich-text/find-names.js';
import {readerOf} from '../blocks/reader.js';
import {givenNames} from '../rich-text/names.js';
import {escapeText} from '../blocks/text.js';
import {answerTyped} from './answer.js';
import type {Listener} from './listener.js';
import {type MessageEvent, readEvent} from './read-event.js';

/** The maximum number of refusals a minute that a person is shown: one who goes on has read them. */
const toldPerMinute = 5;
const maxTold = 10_000;
const minuteMs = 60_000;
/** Slack sends an event again three times. */
const lastRetry = 3;

/** Messages that people type to the bot, and the buttons of its answers. */
export function listenToTyping(kit: Kit): void {
  const {visitors, services, log} = kit;
  const told = createCache<{count: number}>(maxTold, minuteMs);
  const inLine = createLine();

  listenToEvent(kit, 'message', async ({event, origin, retries, onUnserved}) => {
    const message = event as MessageEvent;
    // Only what a person has typed has a reader.
    const typed = readEvent(message, givenNames(readerOf().words));
    if (typed === undefined) return;
    const user = {id: typed.user, name: ''};
    const reader = await visitors.readerOf(origin, user);
    const read = readEvent(message, givenNames(reader.words)) ?? typed;
    const visit: Visit = {
      origin,
      user,
      channel: read.heard.channel,
      // Opens nothing; identifies the actions of this message.
      triggerId: `typed-${read.heard.ts}`,
      reader,
      respond: async () => {},
    };
    const named = await nameMentioned(visit, message);
    if (!(await serve(visit, named ?? read.heard, retries >= lastRetry))) onUnserved();
  });

  /** Reads a message with the names of the people that it mentions, as far as they are known in time. */
  async function nameMentioned(visit: Visit, message: MessageEvent): Promise<Heard | undefined> {
    const {words} = visit.reader;
    const deadline = performance.now() + kit.patience.names.typed;
    const findPlace = () => visitors.findPlace(visit.origin, deadline);
    const {text, blocks, message: edited} = message;
    const given = [text, blocks, edited?.text, edited?.blocks];
    const names = await findNames(kit, findPlace, given, {words, deadline}).catch(() => undefined);
    return names && readEvent(message, names)?.heard;
  }

  /**
   * False when it must come again. A refusal is answered; when the store fails, Slack's next attempt is used.
   */
  async function serve(visit: Visit, heard: Heard, isLast: boolean): Promise<boolean> {
    const deadline = visitors.answerBy();
    let isKept = false;
    try {
      const place = await visitors.findPlace(visit.origin, deadline);
      if (heard.kind !== 'typed' && (await visitors.findMember(place, visit.user, deadline)) === undefined)
        return true;
      const call = await visitors.admit(place, visit.user, deadline);
      const taken = await inLine(keyOf(visit), () => services.typing.hear(call, visit.user.id, heard));
      isKept = true;
      if (taken === 'busy') return false;
      if (taken !== 'heard') await answerTyped(kit, {visit, place, call}, taken);
      return true;
    } catch (error) {
      const isRefusal = error instanceof AppError && !passing.has(error.code);
      if (!isRefusal && !isLast) {
        log.warn(
          {code: error instanceof AppError ? error.code : 'no_answer'},
          'a typed message is not answered yet',
        );
        return false;
      }
      const {sentence} = explain(error, log, kit.drawReference(), visit.reader.words);
      const {typing} = visit.reader.words;
      // A stored text that is typed again would be another answer.
      await tell(visit, heard, isRefusal ? sentence : isKept ? typing.keptLate : typing.saveFailed);
      return true;
    }
  }

  async function tell(visit: Visit, {channel, thread}: Heard, sentence: string): Promise<void> {
    const key = keyOf(visit);
    const before = told.get(key) ?? {count: 0};
    if (before.count === 0) told.set(key, before);
    if ((before.count += 1) > toldPerMinute) return;
    try {
      const client = await visitors.findClient(visit.origin, visitors.answerBy());
      const at = {channel, ...(thread !== undefined && {thread_ts: thread})};
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not a window's
      await client.chat.postMessage({...at, text: escapeText(sentence), parse: 'none', link_names: false});
    } catch {
      log.warn({}, 'a person in Slack could not be answered');
    }
  }

  listenToButton(kit, actions.typedWord, async ({visit, value: {draft, word, slot}, at}, answer) => {
    if (typeof draft !== 'string' || typeof word !== 'string') return;
    const deadline = visitors.answerBy();
    const place = await visitors.findPlace(visit.origin, deadline);
    const call = await visitors.admit(place, visit.user, deadline);
    const taken = await services.typing.hear(call, visit.user.id, {
      kind: 'pressed',
      key: `press/${visit.triggerId}`,
      channel: visit.channel,
      thread: visit.thread,
      ts: at,
      draft,
      text: word,
      slot: typeof slot === 'string' ? slot : undefined,
    });
    await answer();
    if (typeof taken !== 'string') await answerPress({visit, place, call}, taken);
  });

  /** Slack does not resend a press: a person who cannot be answered now gets a message another way. */
  async function answerPress(listener: Listener, taken: Turn): Promise<void> {
    try {
      await answerTyped(kit, listener, taken);
    } catch (error) {
      const {visit} = listener;
      log.warn({code: error instanceof AppError ? error.code : 'no_answer'}, 'a press is not answered yet');
      await visit.respond({...privately(visit.reader.words.typing.pressLate), replace_original: false});
    }
  }

  listenToButton(kit, actions.offerPost, async ({visit, value: {ts, team, date}}, answer) => {
    const offer = await findOffer(visit, ts);
    if (
      offer === undefined ||
      typeof team !== 'string' ||
      typeof date !== 'string' ||
      !isCalendarDate(date)
    ) {
      return answer(privately(visit.reader.words.typing.over));
    }
    const posted = await postUpdate(kit, visit, {update: offer.text, key: `typed-${offer.ts}`, team, date});
    await answer();
    if (posted.outcome === 'form') return openForm(kit, visit, {...posted.request, replaces: true});
    await answer({...posted.answer, replace_original: posted.outcome === 'posted'});
    if (posted.standup === undefined) return;
    const listener = {...offer.listener, deadline: visitors.answerBy()};
    const {id, team_id} = posted.standup;
    const done = {
      id: offer.ts,
      standups: [{id, team: team_id}],
      asks: 'parts',
      slots: {[offer.ts]: ''},
    } as const;
    const {channel, thread} = visit;
    await services.typing.finish(listener, visit.user.id, done, {
      words: [{ts: offer.ts, text: offer.text, ...(offer.at !== undefined && {editedAt: offer.at})}],
      place: {key: `offer/${offer.ts}`, channel, ...(thread !== undefined && {thread})},
    });
    const taken = await services.typing.resume(listener, visit.user.id);
    if (typeof taken !== 'string') await answerTyped(kit, {visit, place: offer.place, call: listener}, taken);
  });

  listenToButton(kit, actions.offerNo, async ({visit, value: {ts}}, answer) => {
    const offer = await findOffer(visit, ts);
    if (offer !== undefined) await services.typing.decline(offer.listener, visit.user.id, offer.ts);
    await answer({...privately(visit.reader.words.typing.declined), replace_original: true});
  });

  async function findOffer(visit: Visit, ts: unknown) {
    const deadline = visitors.answerBy();
    const place = await visitors.findPlace(visit.origin, deadline);
    const listener = await visitors.admit(place, visit.user, deadline);
    const record = await services.typing.find(listener, visit.user.id);
    const found = record?.offers.find((one) => one.ts === ts);
    return found && {...found, listener, place};
  }
}

function keyOf({origin, user}: Pick<Visit, 'origin' | 'user'>): string {
  return `${origin.enterprise ?? ''}/${origin.team ?? ''}/${user.id}`;
}

/**
 * Keeps a person's messages one after the other: all at once they would conflict with each other, and delay
 * everyone else's.
 */
function createLine() {
  const lines = new Map<string, Promise<unknown>>();
  return async function inLine<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (lines.get(key) ?? Promise.resolve()).then(work);
    const settled = mine.catch(() => {});
    lines.set(key, settled);
    await settled;
    if (lines.get(key) === settled) lines.delete(key);
    return mine;
  };
}

/** Refusals that may be over in a minute. */
const passing: ReadonlySet<string> = new Set([
  'service_unavailable',
  'internal_error',
  'storage_full',
  'store_lost',
]);
