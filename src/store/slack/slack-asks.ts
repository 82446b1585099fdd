import {type Id, drawnPart} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {
  type SlackAsk,
  slackItemName,
  type SlackNoticeWish,
  type SlackWish,
} from '../../domain/slack/slack-post.js';
import {workName} from '../../domain/core/work.js';
import type {Connection} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';
import type {LogMark} from '../core/log-lua.js';
import {slackItemKey, slackPostLifetime} from './slack-items.js';
import {askScript, readNoticeScript, readScript} from './slack-scripts.js';

/** Notes what channels should show, and passes the events that say so. */
export interface SlackAsks {
  /**
   * Moves the cursor over one event, noting what it asks for: of a standup, and of what is there already.
   * False when somebody else was quicker.
   */
  read: (
    workspace: Id<'workspace'>,
    event: LogMark,
    wish: SlackWish | undefined,
    deadline: number,
    asks?: readonly SlackAsk[],
  ) => Promise<boolean>;
  /** Asks for what is there already, and for days and digests; once more does no harm. */
  ask: (workspace: Id<'workspace'>, asks: readonly SlackAsk[], deadline: number) => Promise<void>;
  /**
   * Moves the cursor over one event that people are told of, at most 90 of them. False when somebody else
   * was quicker.
   */
  readNotice: (
    workspace: Id<'workspace'>,
    event: LogMark,
    wish: SlackNoticeWish,
    deadline: number,
  ) => Promise<boolean>;
}

/** `dayDelayMs`: how long a parent message waits for more standups before its count is updated. */
export function createSlackAsks({run}: Pick<Connection, 'run'>, dayDelayMs: number): SlackAsks {
  function askedKeys(workspace: Id<'workspace'>, asks: readonly SlackAsk[]) {
    return asks.flatMap(({channel, item}) => [
      slackItemKey(workspace, channel, item),
      workspaceKeys(workspace).slackPending(channel),
    ]);
  }

  /** Asks as the scripts read them. */
  const toldAsks = (asks: readonly SlackAsk[]) =>
    asks.map(({channel, item, make}) => ({
      item: slackItemName(item),
      work: workName({kind: 'post-slack', channel}),
      delay: isPatient(item.kind, make !== undefined) ? dayDelayMs : 0,
      lifetime: slackPostLifetime,
      // What tells a record of something that is shown, or is to be.
      sign: inOneChannel(item.kind) ? 'channel' : make === undefined ? 'ts' : 'wanted',
      ...(make !== undefined && {make: inOneChannel(item.kind) ? {...make, channel} : make}),
    }));

  return {
    async read(workspace, {sequence, at, about}, wish, deadline, asks = []) {
      const keys = workspaceKeys(workspace);
      const wanted = wish === undefined ? [] : [keys.slackPost(wish.drawn), keys.slackPending(wish.channel)];
      const place = wish?.place && {channel: wish.channel, ...wish.place, team: drawnPart(wish.place.team)};
      const args =
        wish === undefined
          ? []
          : [
              wish.drawn,
              workName({kind: 'post-slack', channel: wish.channel}),
              String(wish.want),
              String(slackPostLifetime),
              ...Object.entries(place ?? {}).flat(),
            ];
      return (
        (await run<number>(
          deadline,
          readScript,
          [keys.head(), keys.events(), keys.slackReady(), ...wanted, ...askedKeys(workspace, asks)],
          [String(sequence), String(at), about, JSON.stringify(toldAsks(asks)), ...args],
        )) === 1
      );
    },
    async ask(workspace, asks, deadline) {
      const told = [workspaceKeys(workspace).slackReady(), ...askedKeys(workspace, asks)];
      await run(deadline, askScript, told, [JSON.stringify(toldAsks(asks))]);
    },
    async readNotice(workspace, {sequence, at, about}, {notify}, deadline) {
      const keys = workspaceKeys(workspace);
      const wanted = notify.flatMap((person) => [
        keys.slackNotice(person, sequence),
        keys.slackPending(person),
        keys.slackKept(person),
      ]);
      const item = slackItemName({kind: 'notice', sequence});
      const works = notify.map((channel) => workName({kind: 'post-slack', channel}));
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
function inOneChannel(kind: SlackAsk['item']['kind']): boolean {
  return kind === 'digest' || kind === 'week';
}

/** Items that wait a little, since more may change them: all but standups and reports that are due. */
function isPatient(kind: SlackAsk['item']['kind'], isMade: boolean): boolean {
  return kind === 'week' || (kind !== 'standup' && (!isMade || kind === 'day'));
}
