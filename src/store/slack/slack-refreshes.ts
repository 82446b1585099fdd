import {type Id, drawnPart} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {slackItemName, type SlackRefresh, type SlackStandupRefresh} from '../../domain/slack/slack-post.js';
import {workName} from '../../domain/core/work.js';
import type {Connection} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';
import type {LogMark} from '../core/log-lua.js';
import {slackItemKey, slackPostLifetime} from './slack-items.js';
import {refreshScript, readNoticeScript, readScript} from './slack-scripts.js';

/** Notes what channels should show, and passes the events that say so. */
export interface SlackRefreshes {
  /**
   * Moves the cursor over one event, noting what it refreshes for: of a standup, and of what is there already.
   * False when somebody else was quicker.
   */
  read: (
    workspace: Id<'workspace'>,
    event: LogMark,
    standup: SlackStandupRefresh | undefined,
    deadline: number,
    refreshes?: readonly SlackRefresh[],
  ) => Promise<boolean>;
  /** Has what is there already say what is true now, and makes days and digests; once more does no harm. */
  refresh: (
    workspace: Id<'workspace'>,
    refreshes: readonly SlackRefresh[],
    deadline: number,
  ) => Promise<void>;
  /**
   * Moves the cursor over one event of which these (Slack's ids) are told by message, at most 90 of them.
   * False when somebody else was quicker.
   */
  readNotice: (
    workspace: Id<'workspace'>,
    event: LogMark,
    recipients: readonly string[],
    deadline: number,
  ) => Promise<boolean>;
}

/** `dayDelayMs`: how long a parent message waits for more standups before its count is updated. */
export function createSlackRefreshes({run}: Pick<Connection, 'run'>, dayDelayMs: number): SlackRefreshes {
  function refreshKeys(workspace: Id<'workspace'>, refreshes: readonly SlackRefresh[]) {
    return refreshes.flatMap(({channel, item}) => [
      slackItemKey(workspace, channel, item),
      workspaceKeys(workspace).slackPending(channel),
    ]);
  }

  /** Refreshes as the scripts read them. */
  const packRefreshes = (refreshes: readonly SlackRefresh[]) =>
    refreshes.map(({channel, item, make}) => ({
      item: slackItemName(item),
      work: workName({kind: 'post-slack', channel}),
      delay: isPatient(item.kind, make !== undefined) ? dayDelayMs : 0,
      lifetime: slackPostLifetime,
      // What tells a record of something that is shown, or is to be.
      sign: inOneChannel(item.kind) ? 'channel' : make === undefined ? 'ts' : 'wanted',
      ...(make !== undefined && {make: inOneChannel(item.kind) ? {...make, channel} : make}),
    }));

  return {
    async read(workspace, {sequence, at, about}, standup, deadline, refreshes = []) {
      const keys = workspaceKeys(workspace);
      const wanted =
        standup === undefined ? [] : [keys.slackPost(standup.drawn), keys.slackPending(standup.channel)];
      const place = standup?.place && {
        channel: standup.channel,
        ...standup.place,
        team: drawnPart(standup.place.team),
      };
      const args =
        standup === undefined
          ? []
          : [
              standup.drawn,
              workName({kind: 'post-slack', channel: standup.channel}),
              String(standup.want),
              String(slackPostLifetime),
              ...Object.entries(place ?? {}).flat(),
            ];
      return (
        (await run<number>(
          deadline,
          readScript,
          [keys.head(), keys.events(), keys.slackReady(), ...wanted, ...refreshKeys(workspace, refreshes)],
          [String(sequence), String(at), about, JSON.stringify(packRefreshes(refreshes)), ...args],
        )) === 1
      );
    },
    async refresh(workspace, refreshes, deadline) {
      const named = [workspaceKeys(workspace).slackReady(), ...refreshKeys(workspace, refreshes)];
      await run(deadline, refreshScript, named, [JSON.stringify(packRefreshes(refreshes))]);
    },
    async readNotice(workspace, {sequence, at, about}, recipients, deadline) {
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

/** Of those there is one, in the channel that the team had when it was made. */
function inOneChannel(kind: SlackRefresh['item']['kind']): boolean {
  return kind === 'digest' || kind === 'week';
}

/** Items that wait a little, since more may change them: all but standups and reports that are due. */
function isPatient(kind: SlackRefresh['item']['kind'], isMade: boolean): boolean {
  return kind === 'week' || (kind !== 'standup' && (!isMade || kind === 'day'));
}
