import {createHash} from 'node:crypto';
import type {Log} from '../../domain/log.js';
import type {Prompt, PromptLine, PromptState} from '../../domain/prompt.js';
import type {SlackItem} from '../../domain/slack-post.js';
import type {ChannelCalls, Outcome} from '../posting/channel-calls.js';
import {type ChannelWork, type Hold, markedWithin, type Settlement, within} from '../posting/channel-work.js';
import type {Message} from '../posting/messages.js';
import {concernsPerson} from '../slack-errors.js';
import {isPromptOf, presentPrompt} from './prompt-message.js';

export interface PromptStore {
  find(workspace: string, member: string, date: string, deadline: number): Promise<Prompt | undefined>;
  /** Makes it the message of a later date, or part of that where there is one already. */
  moveTo(hold: Hold, prompt: Prompt, date: string, deadline: number): Promise<void>;
  noteUnreachable(
    workspace: string,
    runs: readonly string[],
    member: string,
    code: string | undefined,
    deadline: number,
  ): Promise<void>;
}

export interface PostPromptParts {
  readonly prompts: PromptStore;
  readonly calls: ChannelCalls;
  /** What it is to show now; undefined when its member is gone. */
  readonly findPromptState: (workspace: string, prompt: Prompt) => Promise<PromptState | undefined>;
  readonly work: ChannelWork;
  /** The store's clock, in ms. */
  readonly now: () => number;
  readonly log: Log;
}

type PromptItem = SlackItem & {kind: 'prompt'};
type Failure = Exclude<Outcome<never>, {kind: 'done'}>;

/** The end of what is about nobody any more. */
const gone: Settlement = {next: 'settled', forget: true};

/** When a link that Slack has not told yet is looked for (ms); once each. */
const linkWaits = [1_000, 2_000, 5_000, 15_000, 60_000];

/**
 * Makes the one message of somebody's day equal to what is wanted: posted under a mark when there is something to remind of, edited to what
 * has become of it. Nobody gets it twice: whether a marked message arrived is looked up, and where that is not allowed nothing is sent again.
 * An edit pings nobody; so one that was put off is removed, and comes anew. What could not be sent on its day is part of the message of the
 * day on which it can.
 */
export function createPostPrompt(parts: PostPromptParts): (hold: Hold, item: PromptItem) => Promise<void> {
  const {prompts, calls, findPromptState, work, now, log} = parts;
  const {waitAfter, waitToLook, sendMarked, record, recordPosted} = work;

  return async (hold, item) => {
    const prompt = await prompts.find(hold.workspace, item.member, item.date, within());
    // With another account since then it stands elsewhere.
    if (prompt === undefined || prompt.user !== hold.channel) return settle(hold, item, {next: 'settled'});
    if (prompt.sending !== undefined) return resolve(hold, item, prompt, prompt.sending);
    const state = await findPromptState(hold.workspace, prompt);
    if (prompt.ts !== undefined) return show(hold, item, {...prompt, ts: prompt.ts}, state);
    return state === undefined ? settle(hold, item, gone) : send(hold, item, prompt, state);
  };

  async function send(hold: Hold, item: PromptItem, prompt: Prompt, state: PromptState): Promise<void> {
    const open = openOf(state);
    const isDue = open.length > 0 && state.wanted && prompt.failed === undefined;
    if (!isDue) return settle(hold, item, {next: 'settled'});
    // Who has put it off wants it then, whatever their hours are.
    const from = prompt.take > 0 ? prompt.notBefore : Math.max(prompt.notBefore, state.quietUntil);
    if (from > now()) return settle(hold, item, {next: {at: from}});
    // The day has a message of its own, if need be this one.
    if (state.today > prompt.date) return prompts.moveTo(hold, prompt, state.today, within());
    const message = presentPrompt(prompt, state.lines);
    const sent = await sendMarked(hold, item, {}, () => calls.post(hold.channel, message));
    if (sent === undefined) return;
    const {token, result} = sent;
    if (result.kind === 'done') {
      const ts = result.value;
      const set = {ts, shown: digestOf(message)};
      const posted = {token, clear: ['sending', 'failures'], set, next: 'more'} as const;
      const findTs = async () => (await prompts.find(hold.workspace, item.member, item.date, within()))?.ts;
      await noteReached(hold, prompt);
      return void (await recordPosted(hold, item, posted, {ts, findTs}));
    }
    const mark = {token, ...(result.kind !== 'unknown' && {clear: ['sending']})};
    return fail(hold, item, prompt, {failure: result, mark, lines: open});
  }

  /** A mark stands whose call nobody has heard of again. */
  async function resolve(hold: Hold, item: PromptItem, prompt: Prompt, token: string): Promise<void> {
    const found = await look(hold, prompt, token);
    if (found.kind === 'done' && found.value !== undefined) {
      const set = {ts: found.value};
      await noteReached(hold, prompt);
      return settle(hold, item, {token, clear: ['sending', 'failures', 'failed'], set, next: 'more'});
    }
    if (found.kind === 'done') return settle(hold, item, {token, clear: ['sending'], next: 'more'});
    const {failures} = prompt;
    const isOver = found.kind === 'refused' && concernsPerson(found.code);
    const wait = isOver ? undefined : waitToLook(found, failures);
    if (wait !== undefined) {
      const next = found.kind === 'limited' ? {whenTaken: found.method} : wait;
      return settle(hold, item, {token, set: {failures: failures + 1}, next});
    }
    if (found.kind === 'refused') {
      // Nobody may look: a reminder that may stand there already is not sent again.
      // The mark stays, so that the next reminder of the day looks again before it sends.
      const failed = isOver ? found.code : 'outcome_unknown';
      log.warn({...placeOf(hold), code: found.code}, 'whether a reminder has arrived cannot be found out');
      if (failed === 'outcome_unknown') await noteReached(hold, prompt);
      const forget = (await findPromptState(hold.workspace, prompt)) === undefined;
      return settle(hold, item, {token, set: {failed}, next: 'settled', forget});
    }
    const set = {failed: 'outcome_unknown'};
    return settle(hold, item, {token, set, next: 'settled'});
  }

  async function look(hold: Hold, prompt: Prompt, token: string): Promise<Outcome<string | undefined>> {
    const opened = await calls.openDirect(hold.channel);
    if (opened.kind !== 'done') return opened;
    const place = {thread: undefined, ...markedWithin(token)};
    const found = await calls.find(opened.value, place, (metadata) => isPromptOf(prompt, metadata));
    return found.kind === 'done' ? {kind: 'done', value: found.value?.ts} : found;
  }

  /** What stands there becomes what is so now; of a member who is gone nothing is left to do, and nothing of it is kept. */
  async function show(
    hold: Hold,
    item: PromptItem,
    prompt: Prompt & {ts: string},
    current: PromptState | undefined,
  ): Promise<void> {
    const state = current ?? {wanted: false, lines: []};
    const isOpen = openOf(state).length > 0;
    const {snoozed} = prompt;
    if (isOpen && snoozed !== undefined && snoozed <= now()) {
      // Who wants no reminders any more keeps the one that stands there.
      return state.wanted
        ? withdraw(hold, item, prompt)
        : settle(hold, item, {clear: ['snoozed'], next: 'more'});
    }
    const message = presentPrompt(prompt, state.lines, snoozed);
    const shown = digestOf(message);
    const next = current === undefined ? gone : nextOf(prompt, state);
    if (prompt.shown === shown) return settle(hold, item, next);
    const opened = await calls.openDirect(hold.channel);
    const result = opened.kind === 'done' ? await calls.update(opened.value, prompt.ts, message) : opened;
    if (result.kind === 'limited') return settle(hold, item, {next: {whenTaken: result.method}});
    const wait = result.kind === 'done' ? undefined : waitFor(result, prompt);
    if (wait !== undefined) return settle(hold, item, {set: {failures: prompt.failures + 1}, next: wait});
    if (result.kind === 'done') await noteReached(hold, prompt);
    // One that was removed, or that may not be edited, stays as it is.
    return settle(hold, item, {clear: ['failures'], ...next, set: {...next.set, shown}});
  }

  /** Makes room for a new message; while both would stand there, the old one goes first. */
  async function withdraw(hold: Hold, item: PromptItem, prompt: Prompt & {ts: string}): Promise<void> {
    const opened = await calls.openDirect(hold.channel);
    const result = opened.kind === 'done' ? await calls.remove(opened.value, prompt.ts) : opened;
    if (result.kind === 'limited') return settle(hold, item, {next: {whenTaken: result.method}});
    const wait = result.kind === 'done' ? undefined : waitFor(result, prompt);
    if (wait !== undefined) return settle(hold, item, {set: {failures: prompt.failures + 1}, next: wait});
    const isGone =
      result.kind === 'done' || (result.kind === 'refused' && result.code === 'message_not_found');
    if (!isGone) return settle(hold, item, {clear: ['snoozed', 'shown', 'failures'], next: 'more'});
    const set = {take: prompt.take + 1};
    return settle(hold, item, {clear: ['ts', 'shown', 'snoozed', 'failures'], set, next: 'more'});
  }

  /** When it has to be looked at again though nobody asks: a run closes, a snooze ends, a link is still to come. */
  function nextOf(prompt: Prompt, {lines}: Pick<PromptState, 'lines'>): Settlement {
    const open = lines.filter(({state}) => state === 'open');
    const linkWait = lines.some(({awaitsLink}) => awaitsLink) ? linkWaits[prompt.links] : undefined;
    const due = [
      ...open.map(({closesAt}) => closesAt),
      ...(open.length > 0 && prompt.snoozed !== undefined ? [prompt.snoozed] : []),
      ...(linkWait === undefined ? [] : [now() + linkWait]),
    ];
    return {
      next: due.length === 0 ? 'settled' : {at: Math.min(...due)},
      ...(linkWait !== undefined && {set: {links: prompt.links + 1}}),
    };
  }

  /** Whom Slack does not deliver to gets the next reminder. */
  function waitFor(failure: Exclude<Failure, {kind: 'limited'}>, {failures}: Prompt): number | undefined {
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
    const wait = waitFor(failure, prompt);
    log.warn(
      {...placeOf(hold), code, failures: prompt.failures + 1},
      wait === undefined ? 'somebody cannot be reminded in Slack' : 'somebody is not reminded in Slack yet',
    );
    // Noted from the first failure on, since a run that closes meanwhile keeps who was reached; and before the outcome: who dies in between
    // notes it again.
    await noteUnreachable(
      hold,
      prompt,
      lines.map(({run}) => run),
      code,
    );
    if (wait !== undefined) {
      return settle(hold, item, {...mark, set: {failures: prompt.failures + 1}, next: wait});
    }
    return settle(hold, item, {...mark, set: {failed: code}, next: 'settled'});
  }

  /**
   * Perhaps it was not known before: nobody counts as unreachable on a guess. Whatever the prompt knows of failures, since one that has become
   * part of another day's knows nothing of those before.
   */
  function noteReached(hold: Hold, prompt: Prompt): Promise<void> {
    return noteUnreachable(hold, prompt, [...prompt.runs.keys()], undefined);
  }

  function noteUnreachable(
    {workspace}: Hold,
    {member}: Prompt,
    runs: readonly string[],
    code: string | undefined,
  ): Promise<void> {
    return prompts.noteUnreachable(workspace, runs, member, code, within());
  }

  /** A settlement that nobody needs to answer for when somebody else has taken over. */
  async function settle(hold: Hold, item: PromptItem, settlement: Settlement): Promise<void> {
    await record(hold, item, settlement);
  }
}

function openOf({lines}: Pick<PromptState, 'lines'>): PromptLine[] {
  return lines.filter(({state}) => state === 'open');
}

function placeOf({workspace, channel}: Hold): {workspace: string; channel: string} {
  return {workspace, channel};
}

function digestOf(message: Message): string {
  return createHash('sha256').update(JSON.stringify(message)).digest('base64url').slice(0, 22);
}
