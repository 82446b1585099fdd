import {type Id, suffixOf} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {slackItemName, type SlackRefresh, type SlackStandupRefresh} from '../../domain/slack/slack-post.js';
import {workName} from '../../domain/core/work.js';
import type {RedisCommands} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';
import type {LogMark} from '../core/log-mark.js';
import {createSlackItemKey, slackPostLifetime} from './slack-items.js';
import {readEventScript, readNoticeScript, requestRefreshesScript} from '../core/compiled/lua.js';

/** The maximum number of refreshes in one script, which takes two keys for each. */
const refreshesAtOnce = 80;

/**
 * Records what channels should show because of events, and moves the position past those events.
 * `dayDelayMs`: how long a parent message waits for more standups before an update. `countsDelayMs`: how long the
 * counts below a standup wait for more reactions and comments.
 */
export function createSlackRefreshes(
  {run}: RedisCommands,
  {dayDelayMs, countsDelayMs}: {readonly dayDelayMs: number; readonly countsDelayMs: number},
) {
  function listRefreshKeys(workspace: Id<'workspace'>, refreshes: readonly SlackRefresh[]) {
    return refreshes.flatMap(({channel, item}) => [
      createSlackItemKey(workspace, channel, item),
      workspaceKeys(workspace).slackPending(channel),
    ]);
  }

  function computeDelay(kind: SlackRefresh['item']['kind'], isMade: boolean): number {
    if (kind === 'counts') return countsDelayMs;
    return waitsForMoreChanges(kind, isMade) ? dayDelayMs : 0;
  }

  /** Converts update requests into the form that the scripts read. */
  const packRefreshes = (refreshes: readonly SlackRefresh[]) =>
    refreshes.map(({channel, item, make}) => ({
      item: slackItemName(item),
      work: workName({kind: 'post-slack', channel}),
      delay: computeDelay(item.kind, make !== undefined),
      lifetime: slackPostLifetime,
      // The field that exists in a record whose item is shown or should be shown. A standup has no `wanted`.
      sign: staysInOneChannel(item.kind) ? 'channel' : make === undefined ? 'ts' : 'wanted',
      ...(make !== undefined && {make: staysInOneChannel(item.kind) ? {...make, channel} : make}),
    }));

  return {
    /** Moves past one event and records its updates. Returns false when another process was faster. */
    async read(
      workspace: Id<'workspace'>,
      {sequence, at, about}: LogMark,
      standup: SlackStandupRefresh | undefined,
      deadline: number,
      refreshes: readonly SlackRefresh[] = [],
    ): Promise<boolean> {
      const keys = workspaceKeys(workspace);
      const wanted =
        standup === undefined ? [] : [keys.slackPost(standup.suffix), keys.slackPending(standup.channel)];
      const initial = standup?.initial && {
        channel: standup.channel,
        ...standup.initial,
        team: suffixOf(standup.initial.team),
      };
      const args =
        standup === undefined
          ? []
          : [
              standup.suffix,
              workName({kind: 'post-slack', channel: standup.channel}),
              String(standup.want),
              String(slackPostLifetime),
              ...Object.entries(initial ?? {}).flat(),
            ];
      return (
        (await run<number>(
          deadline,
          readEventScript,
          [
            keys.head(),
            keys.events(),
            keys.slackReady(),
            ...wanted,
            ...listRefreshKeys(workspace, refreshes),
          ],
          [String(sequence), String(at), about, JSON.stringify(packRefreshes(refreshes)), ...args],
        )) === 1
      );
    },
    /** Requests updates of messages, and creates those of days and reports. It may be repeated. */
    async refresh(
      workspace: Id<'workspace'>,
      refreshes: readonly SlackRefresh[],
      deadline: number,
    ): Promise<void> {
      for (let start = 0; start < refreshes.length; start += refreshesAtOnce) {
        const some = refreshes.slice(start, start + refreshesAtOnce);
        const named = [workspaceKeys(workspace).slackReady(), ...listRefreshKeys(workspace, some)];
        await run(deadline, requestRefreshesScript, named, [JSON.stringify(packRefreshes(some))]);
      }
    },
    /**
     * Moves the position past one event, about which these people (at most 90 Slack ids) get a message.
     * Returns false when another process was faster.
     */
    async readNotice(
      workspace: Id<'workspace'>,
      {sequence, at, about}: LogMark,
      recipients: readonly string[],
      deadline: number,
    ): Promise<boolean> {
      const keys = workspaceKeys(workspace);
      const wanted = recipients.flatMap((person) => [
        keys.slackNotice(person, sequence),
        keys.slackPending(person),
        keys.slackKept(person),
      ]);
      const item = slackItemName({kind: 'notice', sequence});
      const works = recipients.map((channel) => workName({kind: 'post-slack', channel}));
      return (
        (await run<number>(
          deadline,
          readNoticeScript,
          [keys.head(), keys.events(), keys.slackReady(), ...wanted],
          [String(sequence), String(at), about, item, String(lifetimes.events), ...works],
        )) === 1
      );
    },
  };
}

/** True for items that are shown in one channel only, and stay in the first one. */
function staysInOneChannel(kind: SlackRefresh['item']['kind']): boolean {
  return kind === 'digest' || kind === 'week' || kind === 'copy' || kind === 'comment';
}

/** True for items that wait before an update, because more changes may follow. */
function waitsForMoreChanges(kind: SlackRefresh['item']['kind'], isMade: boolean): boolean {
  if (kind === 'standup' || kind === 'comment') return false;
  return kind === 'week' || !isMade || kind === 'day';
}
