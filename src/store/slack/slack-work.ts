import {lifetimes} from '../../domain/core/limits.js';
import {
  parseSlackItemName,
  type SlackClaim,
  type SlackClaimed,
  type SlackItem,
  slackItemName,
  type SlackOutcome,
} from '../../domain/slack/slack-post.js';
import {formatKnownMessage} from '../../domain/slack/known-message.js';
import {workName} from '../../domain/core/work.js';
import type {RedisCommands} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';
import {createSlackItemKey, slackPostLifetime} from './slack-items.js';
import {
  beginMessageScript,
  claimChannelScript,
  findRateLimitScript,
  noteRateLimitScript,
  recordOutcomeScript,
  renewChannelScript,
} from '../core/compiled/lua.js';
import type {Id} from '../../domain/core/ids.js';

/** One worker's lease on a channel. */
export interface SlackHold {
  readonly workspace: Id<'workspace'>;
  readonly channel: string;
  readonly holder: string;
  /** The claimed item. Recording the result of any other item leaves this one pending. */
  readonly claimed?: SlackClaimed;
}

/** The work of a channel: the worker that holds it, the due items, and the results of their processing. */
export type SlackWork = ReturnType<typeof createSlackWork>;

/** Creates the work of channels. `dayDelayMs`: how long a parent message waits for more standups. */
export function createSlackWork({call, run}: RedisCommands, dayDelayMs: number) {
  async function claimChannel(
    {workspace, channel, holder}: SlackHold,
    leaseMs: number,
    deadline: number,
  ): Promise<string[]> {
    const keys = workspaceKeys(workspace);
    return run<string[]>(
      deadline,
      claimChannelScript,
      [keys.slackLease(channel), keys.slackPending(channel), keys.slackReady(), keys.head()],
      [holder, String(leaseMs), workName({kind: 'post-slack', channel})],
    );
  }

  return {
    /** Takes a channel for `leaseMs` and returns its first due item, or releases an empty channel. */
    async claim(hold: SlackHold, leaseMs: number, deadline: number): Promise<SlackClaim> {
      for (;;) {
        const [kind, name = '', asked = ''] = await claimChannel(hold, leaseMs, deadline);
        if (kind !== 'due') return {kind: kind === 'busy' ? 'busy' : 'idle'};
        const item = parseSlackItemName(name);
        if (slackItemName(item) === name) return {kind, item, asked};
        // An unreadable item is dropped. It could never be finished, and would block all items behind it.
        await call(deadline, ['ZREM', workspaceKeys(hold.workspace).slackPending(hold.channel), name]);
      }
    },
    /** Releases a channel. Returns true when it has a due item. */
    async release(hold: SlackHold, deadline: number): Promise<boolean> {
      return (await claimChannel(hold, 0, deadline))[0] === 'more';
    },
    async renew(
      {workspace, channel, holder}: SlackHold,
      leaseMs: number,
      deadline: number,
    ): Promise<boolean> {
      const keys = workspaceKeys(workspace);
      const args = [holder, String(leaseMs), workName({kind: 'post-slack', channel})];
      return (
        (await run<number>(
          deadline,
          renewChannelScript,
          [keys.slackLease(channel), keys.slackReady()],
          args,
        )) === 1
      );
    },
    /**
     * Marks that a call is about to post a message. Returns false if nothing may be sent, because another
     * worker may have the channel, or because it had a message less than `spacingMs` ago.
     */
    async begin(
      {workspace, channel, holder}: SlackHold,
      item: SlackItem,
      token: string,
      parent: string | undefined,
      leaseMs: number,
      deadline: number,
      more: {readonly part?: number; readonly spacingMs?: number} = {},
    ): Promise<boolean> {
      const keys = workspaceKeys(workspace);
      const {part, spacingMs = 0} = more;
      const fields = {...(parent !== undefined && {parent}), ...(part !== undefined && {part: String(part)})};
      return (
        (await run<number>(
          deadline,
          beginMessageScript,
          [keys.slackLease(channel), createSlackItemKey(workspace, channel, item), keys.slackPace(channel)],
          [holder, String(leaseMs), token, String(spacingMs), ...Object.entries(fields).flat()],
        )) === 1
      );
    },
    /** Records a result. Returns false when it was not recorded, because another worker has the channel. */
    async recordOutcome(
      {workspace, channel, holder, claimed}: SlackHold,
      {item, token, set, clear, next, want, forget, success, pauseMs, links, day, root}: SlackOutcome,
      deadline: number,
    ): Promise<boolean> {
      const keys = workspaceKeys(workspace);
      const brief =
        item.kind === 'notice' ||
        item.kind === 'prompt' ||
        item.kind === 'trouble' ||
        (next === 'settled' && want === 'deleted');
      // A key is passed even for a standup without a day, because a script must declare all its keys.
      const dayKey =
        day === undefined
          ? createSlackItemKey(workspace, channel, item)
          : keys.slackDay(channel, day.team, day.date);
      const operation = {
        holder,
        token,
        member: slackItemName(item),
        ...(claimed && slackItemName(claimed.item) === slackItemName(item) && {asked: claimed.asked}),
        work: workName({kind: 'post-slack', channel}),
        set: Object.fromEntries(Object.entries(set ?? {}).map(([name, value]) => [name, String(value)])),
        clear: clear ?? [],
        lifetime: brief ? lifetimes.events : slackPostLifetime,
        ...(typeof next === 'number' && {delay: Math.round(next)}),
        ...(next === 'more' && {more: true}),
        ...(typeof next === 'object' && ('at' in next ? {at: Math.round(next.at)} : {throttled: true})),
        ...(forget && {forget}),
        ...(success && {success}),
        ...(want !== undefined && {want: String(want)}),
        ...(pauseMs !== undefined && {pause: Math.max(1, Math.round(pauseMs))}),
        ...(links !== undefined && {
          links: {channel, delay: dayDelayMs, member: slackItemName({kind: 'digest', ...links})},
        }),
        ...(root !== undefined &&
          item.kind === 'standup' && {
            root: {known: formatKnownMessage(item), lifetime: lifetimes.slackMessage},
          }),
        ...(day !== undefined &&
          item.kind === 'standup' && {
            day: {
              shows: day.shows,
              ...(day.names && {names: true}),
              author: day.author,
              field: `by:${item.suffix}`,
              lifetime: slackPostLifetime,
              delay: dayDelayMs,
              member: slackItemName({kind: 'day', team: day.team, date: day.date}),
            },
          }),
      };
      const outcome = await run<number>(
        deadline,
        recordOutcomeScript,
        [
          keys.slackLease(channel),
          createSlackItemKey(workspace, channel, item),
          keys.slackPending(channel),
          keys.slackReady(),
          dayKey,
          typeof next === 'object' && 'whenTaken' in next ? keys.slackThrottle(next.whenTaken) : dayKey,
          keys.slackTrouble(channel),
          links === undefined ? dayKey : keys.slackDigest(links.team, links.date),
          keys.slackKept(channel),
          root === undefined ? dayKey : keys.slackMessage(channel, root),
        ],
        [JSON.stringify(operation)],
      );
      return outcome === 1;
    },
    /** Returns the time (ms) until Slack accepts calls of a method; 0 when it accepts them. */
    async findLimit(workspace: Id<'workspace'>, method: string, deadline: number): Promise<number> {
      return run<number>(deadline, findRateLimitScript, [workspaceKeys(workspace).slackThrottle(method)], []);
    },
    async limit(workspace: Id<'workspace'>, method: string, waitMs: number, deadline: number): Promise<void> {
      const wait = String(Math.max(1, Math.round(waitMs)));
      await run(deadline, noteRateLimitScript, [workspaceKeys(workspace).slackThrottle(method)], [wait]);
    },
  };
}
