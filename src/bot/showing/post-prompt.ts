import {createHash} from 'node:crypto';
import type {Log} from '../../domain/core/log.js';
import {isToComeAnew, type Prompt, type PromptLine, type PromptState} from '../../domain/prompts/prompt.js';
import {type SlackItem, slackItemName} from '../../domain/slack/slack-post.js';
import type {ChannelCalls, Outcome, Posted} from '../slack/posting/channel-calls.js';
import {
  type ChannelWork,
  type Hold,
  markedAt,
  markedWithin,
  type Settlement,
  within,
} from './channel-work.js';
import type {Message} from '../slack/posting/messages.js';
import {concernsPerson, isAbsent} from '../slack/door/slack-errors.js';
import {isPromptOf, presentMoved, presentPrompt} from '../slack/prompts/prompt-message.js';
import {drawnPart, type Id, type IdSuffix} from '../../domain/core/ids.js';
import type {Prompts} from '../../store/prompts/prompts.js';

export interface PostPromptParts {
  readonly prompts: Pick<Prompts, 'find' | 'findDirect' | 'moveTo' | 'noteUnreachable'>;
  readonly calls: ChannelCalls;
  /** What it is to show now; undefined when its member is gone. */
  readonly findPromptState: (workspace: Id<'workspace'>, prompt: Prompt) => Promise<PromptState | undefined>;
  readonly work: ChannelWork;
  /** The store's clock, in ms. */
  readonly now: () => number;
  readonly log: Log;
}

type PromptItem = SlackItem & {kind: 'prompt'};
type Failure = Exclude<Outcome<never>, {kind: 'done'}>;

/** No error of Slack's: it has not told yet where the direct messages with somebody stand. */
const noChannel = 'channel_unknown';

/** The end of what is about nobody any more. */
const gone: Settlement = {next: 'settled', forget: true};

/** For how long (ms) an outcome is held back when a link of it is still to come: so it mostly is one edit. */
const linkMs = 10_000;

/**
 * Makes the one message of somebody's day equal to what is wanted: posted under a mark when there is
 * something to remind of, edited to what has become of it. Nobody gets it twice: whether a marked message
 * arrived is looked up, and where that is not allowed nothing is sent again. An edit pings nobody; so one
 * that is to be noticed once more comes anew, and then the earlier one is removed, since removals may have
 * to wait. What could not be sent on its day is part of the message of the day on which it can.
 */
export function createPostPrompt(parts: PostPromptParts): (hold: Hold, item: PromptItem) => Promise<void> {
  const {prompts, calls, findPromptState, work, now, log} = parts;
  const {waitAfter, waitToLook, sendMarked, record, recordPosted} = work;

  const directOf = (hold: Hold, prompt: Prompt) =>
    prompt.channel ?? prompts.findDirect(hold.workspace, hold.channel, within());

  return async (hold, item) => {
    const prompt = await prompts.find(hold.workspace, item.member, item.date, within());
    // With another account since then it stands elsewhere.
    if (prompt === undefined || prompt.user !== hold.channel) return settle(hold, item, {next: 'settled'});
    if (prompt.sending !== undefined) return resolve(hold, item, prompt, prompt.sending);
    const state = await findPromptState(hold.workspace, prompt);
    if (prompt.ts !== undefined) return show(hold, item, {...prompt, ts: prompt.ts}, state);
    return send(hold, item, prompt, state);
  };

  async function send(
    hold: Hold,
    item: PromptItem,
    prompt: Prompt,
    state: PromptState | undefined,
  ): Promise<void> {
    const open = state === undefined ? [] : openOf(state);
    if (state === undefined || open.length === 0 || !state.wanted || prompt.failed !== undefined) {
      const latest = prompt.old.at(-1);
      if (latest === undefined) return settle(hold, item, state === undefined ? gone : {next: 'settled'});
      // It does not come anew after all: what stands there goes on.
      return settle(hold, item, {...oldIs(prompt.old.slice(0, -1), {ts: latest}), next: 'more'});
    }
    // Who has put it off wants it then, whatever their hours are.
    const from =
      prompt.snoozed === undefined
        ? Math.max(prompt.notBefore, state.quietUntil)
        : Math.max(prompt.notBefore, prompt.snoozed);
    if (from > now()) return settle(hold, item, {next: {at: from}});
    // The day has a message of its own, if need be this one.
    if (state.today > prompt.date) return prompts.moveTo(hold, prompt, state.today, within());
    const message = presentPrompt(prompt, state.lines, {now: now()});
    const sent = await sendMarked(hold, item, {}, () => calls.post(hold.channel, message));
    if (sent === undefined) return;
    const {token, result} = sent;
    if (result.kind === 'done') {
      const set = {
        ...result.value,
        sent: markedAt(token ?? ''),
        shown: digestOf(presentPrompt(prompt, state.lines)),
      };
      // One that is put off meanwhile stays so.
      const isOver = prompt.snoozed !== undefined && prompt.snoozed <= now();
      const clear = ['sending', 'failures', 'links', ...(isOver ? ['snoozed'] : [])];
      const posted = {token, clear, set, next: 'more'} as const;
      const findTs = async () => (await prompts.find(hold.workspace, item.member, item.date, within()))?.ts;
      await noteReached(hold, prompt);
      return void (await recordPosted(hold, item, posted, {...result.value, findTs}));
    }
    const mark = {token, ...(result.kind !== 'unknown' && {clear: ['sending']})};
    return fail(hold, item, prompt, {failure: result, mark, lines: open});
  }

  /** A mark stands whose call nobody has heard of again. */
  async function resolve(hold: Hold, item: PromptItem, prompt: Prompt, token: string): Promise<void> {
    const found = await look(hold, prompt, token);
    if (found.kind === 'done' && found.value !== undefined) {
      const set = {...found.value, sent: markedAt(token)};
      await noteReached(hold, prompt);
      return settle(hold, item, {token, clear: ['sending', 'failures', 'failed'], set, next: 'more'});
    }
    if (found.kind === 'done') return settle(hold, item, {token, clear: ['sending'], next: 'more'});
    const {failures} = prompt;
    const isPersonal = found.kind === 'refused' && concernsPerson(found.code);
    const isOver = isPersonal || (found.kind === 'refused' && found.code === noChannel);
    const wait = isOver ? undefined : waitToLook(found, failures);
    if (wait !== undefined) {
      const next = found.kind === 'limited' ? {whenTaken: found.method} : wait;
      return settle(hold, item, {token, set: {failures: failures + 1}, next});
    }
    if (found.kind === 'refused') {
      // Nobody may look: a reminder that may stand there already is not sent again.
      // The mark stays, so that the next reminder of the day looks again before it sends.
      const failed = isPersonal ? found.code : 'outcome_unknown';
      log.warn({...placeOf(hold), code: found.code}, 'whether a reminder has arrived cannot be found out');
      // A message for another reason is no repetition.
      if (!isPersonal && isToComeAnew({...prompt, sent: markedAt(token)})) {
        const set = {take: prompt.take + 1};
        return settle(hold, item, {token, clear: ['sending', 'failures', 'failed'], set, next: 'more'});
      }
      if (failed === 'outcome_unknown') await noteReached(hold, prompt);
      const forget = (await findPromptState(hold.workspace, prompt)) === undefined;
      return settle(hold, item, {token, set: {failed}, next: 'settled', forget});
    }
    const set = {failed: 'outcome_unknown'};
    return settle(hold, item, {token, set, next: 'settled'});
  }

  async function look(hold: Hold, prompt: Prompt, token: string): Promise<Outcome<Posted | undefined>> {
    const channel = await directOf(hold, prompt);
    // Nothing has ever been answered: then nobody may look.
    if (channel === undefined) return {kind: 'refused', code: noChannel};
    const place = {thread: undefined, ...markedWithin(token)};
    const found = await calls.find(channel, place, (metadata) => isPromptOf(prompt, metadata));
    if (found.kind !== 'done') return found;
    return {kind: 'done', value: found.value && {channel, ts: found.value.ts}};
  }

  /**
   * What stands there becomes what is so now; of a member who is gone nothing is left to do, and nothing of
   * it is kept.
   */
  async function show(
    hold: Hold,
    item: PromptItem,
    prompt: Prompt & {ts: string},
    current: PromptState | undefined,
  ): Promise<void> {
    const state = current ?? {wanted: false, lines: []};
    const isOpen = openOf(state).length > 0;
    const {snoozed} = prompt;
    const isPutOff = snoozed !== undefined && snoozed <= now();
    if (isOpen && isPutOff && !state.wanted) {
      // Who wants no reminders any more keeps the one that stands there.
      return settle(hold, item, {clear: ['snoozed'], next: 'more'});
    }
    const again = current?.wanted && isOpen ? comesAnew(prompt, current) : undefined;
    if (again !== undefined && again <= now()) {
      const set = {take: prompt.take + 1, old: [...prompt.old, prompt.ts].join(',')};
      return settle(hold, item, {clear: ['ts', 'shown', 'failures'], set, next: 'more'});
    }
    const waiting = isPutOff ? undefined : snoozed;
    const next = current === undefined ? gone : nextOf(state, again ?? snoozed);
    const shown = digestOf(presentPrompt(prompt, state.lines, {snoozed: waiting}));
    if (prompt.shown === shown) {
      return prompt.old.length > 0 ? clearAway(hold, item, prompt) : settle(hold, item, next);
    }
    const until = prompt.linksUntil > 0 ? prompt.linksUntil : now() + linkMs;
    if (state.lines.some(({awaitsLink}) => awaitsLink) && until > now()) {
      return settle(hold, item, {set: {links: until}, next: {at: until}});
    }
    const channel = await directOf(hold, prompt);
    const message = presentPrompt(prompt, state.lines, {snoozed: waiting, now: now()});
    const result =
      channel === undefined
        ? undefined
        : await calls.update(channel, prompt.ts, message, slackItemName(item));
    const wait = waitFor(result, prompt);
    if (wait !== undefined) return settle(hold, item, wait);
    if (result?.kind === 'done') await noteReached(hold, prompt);
    // One that was removed, or that may not be edited, stays as it is.
    const after = prompt.old.length > 0 ? ({next: 'more'} as const) : next;
    return settle(hold, item, {clear: ['failures', 'links'], ...after, set: {shown}});
  }

  /** When it is to come anew (ms), if it is; who has put it off wants it then, whatever their hours are. */
  function comesAnew(prompt: Prompt, {quietUntil}: PromptState): number | undefined {
    if (prompt.snoozed !== undefined) return prompt.snoozed;
    const isWanted = prompt.failed === undefined && isToComeAnew(prompt);
    return isWanted ? Math.max(prompt.notBefore, quietUntil) : undefined;
  }

  /** Removes the first of those whose place it has taken. */
  async function clearAway(hold: Hold, item: PromptItem, prompt: Prompt): Promise<void> {
    const [first = '', ...left] = prompt.old;
    const channel = await directOf(hold, prompt);
    const result =
      channel === undefined ? undefined : await calls.remove(channel, first, slackItemName(item));
    const wait = waitFor(result, prompt);
    if (wait === undefined && channel !== undefined && result?.kind === 'refused' && !isAbsent(result.code)) {
      await calls.update(channel, first, presentMoved(prompt), slackItemName(item));
    }
    if (wait !== undefined) return settle(hold, item, wait);
    return settle(hold, item, {...oldIs(left, {}, ['failures']), next: 'more'});
  }

  /** When it has to be looked at again though nobody asks: a run closes, or it is to come anew. */
  function nextOf(state: Pick<PromptState, 'lines'>, again: number | undefined): Settlement {
    const open = openOf(state).map(({closesAt}) => closesAt);
    const due = open.length === 0 || again === undefined ? open : [...open, again];
    return {next: due.length === 0 ? 'settled' : {at: Math.min(...due)}};
  }

  /** When an edit or a removal is tried again; undefined when it is done, or never will be. */
  function waitFor(result: Outcome<undefined> | undefined, {failures}: Prompt): Settlement | undefined {
    if (result?.kind === 'limited') return {next: result.waitMs};
    if (result === undefined || result.kind === 'done') return undefined;
    const wait = waitToReach(result, failures);
    return wait === undefined ? undefined : {set: {failures: failures + 1}, next: wait};
  }

  /** Whom Slack does not deliver to gets the next reminder. */
  function waitToReach(failure: Exclude<Failure, {kind: 'limited'}>, failures: number): number | undefined {
    return concernsPerson(failure.code) ? undefined : waitAfter(failure, failures);
  }

  async function fail(
    hold: Hold,
    item: PromptItem,
    prompt: Prompt,
    {failure, mark, lines}: {failure: Failure; mark: Partial<Settlement>; lines: readonly PromptLine[]},
  ): Promise<void> {
    if (failure.kind === 'limited') return settle(hold, item, {...mark, next: {whenTaken: failure.method}});
    const {code} = failure;
    const wait = waitToReach(failure, prompt.failures);
    log.warn(
      {...placeOf(hold), code, failures: prompt.failures + 1},
      wait === undefined ? 'somebody cannot be reminded in Slack' : 'somebody is not reminded in Slack yet',
    );
    // Noted from the first failure on, since a run that closes meanwhile keeps who was reached; and before the outcome: who dies in between
    // notes it again.
    await noteUnreachable(
      hold,
      prompt,
      lines.map(({run}) => drawnPart(run)),
      code,
    );
    if (wait !== undefined) {
      return settle(hold, item, {...mark, set: {failures: prompt.failures + 1}, next: wait});
    }
    return settle(hold, item, {
      ...mark,
      set: {failed: code},
      next: prompt.old.length > 0 ? 'more' : 'settled',
    });
  }

  /**
   * Perhaps it was not known before: nobody counts as unreachable on a guess. Whatever the prompt knows of
   * failures, since one that has become part of another day's knows nothing of those before.
   */
  function noteReached(hold: Hold, prompt: Prompt): Promise<void> {
    return noteUnreachable(hold, prompt, [...prompt.runs.keys()], undefined);
  }

  function noteUnreachable(
    {workspace}: Hold,
    {member}: Prompt,
    runs: readonly IdSuffix<'run'>[],
    code: string | undefined,
  ): Promise<void> {
    return prompts.noteUnreachable(workspace, runs, member, code, within());
  }

  /** A settlement that nobody needs to answer for when somebody else has taken over. */
  async function settle(hold: Hold, item: PromptItem, settlement: Settlement): Promise<void> {
    await record(hold, item, settlement);
  }
}

/** Which others stand there, besides what else is set. */
function oldIs(
  old: readonly string[],
  set: Readonly<Record<string, string>>,
  clear: readonly string[] = [],
): Pick<Settlement, 'set' | 'clear'> {
  if (old.length === 0) return {set, clear: [...clear, 'old']};
  return {set: {...set, old: old.join(',')}, clear};
}

function openOf({lines}: Pick<PromptState, 'lines'>): PromptLine[] {
  return lines.filter(({state}) => state === 'open');
}

function placeOf({workspace, channel}: Hold): {workspace: Id<'workspace'>; channel: string} {
  return {workspace, channel};
}

function digestOf(message: Message): string {
  return createHash('sha256').update(JSON.stringify(message)).digest('base64url').slice(0, 22);
}
