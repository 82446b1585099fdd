import type {PageQuery} from '../../domain/core/lists.js';
import {type Id, storedSuffix, type IdSuffix} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {
  parseSlackItemName,
  type SlackItem,
  type SlackTrouble,
  slackItemName,
} from '../../domain/slack/slack-post.js';
import {workName} from '../../domain/core/work.js';
import type {RedisCommands} from '../core/connection.js';
import {
  noteTroubleScript,
  readTroubleScript,
  refreshTroubleScript,
  resumeChannelScript,
} from '../core/compiled/lua.js';
import {workspaceKeys} from '../core/keys.js';
import {readPage} from '../core/record-lists.js';
import type {LogMark} from '../core/log-mark.js';
import {createSlackItemKey} from './slack-items.js';
import {formatNotifiedEntry} from './slack-people.js';

/**
 * The problem that prevents a channel from showing standups and reports, until all are shown. The team's
 * leads are told once about it, and about its end. One hash contains everything. record-outcome.lua counts
 * the delayed items.
 */
export type SlackTroubleRecords = ReturnType<typeof createSlackTroubles>;

/** The number of people who are told about one problem. A script needs two keys for each. */
const maxNotified = 90;

/** The maximum number of items that one script changes. */
const lostAtOnce = 100;

export function createSlackTroubles({call, run}: RedisCommands) {
  async function findSlackTrouble(
    workspace: Id<'workspace'>,
    channel: string,
    deadline: number,
  ): Promise<SlackTrouble | undefined> {
    const flat = await call<string[]>(deadline, ['HGETALL', workspaceKeys(workspace).slackTrouble(channel)]);
    const fields = new Map(
      flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? ''] as const] : [])),
    );
    const state = fields.get('state');
    if (state === undefined) return undefined;
    const notice = fields.get('notice');
    return {
      channel,
      state: state as SlackTrouble['state'],
      team: storedSuffix(fields.get('team') ?? ''),
      code: fields.get('code'),
      since: Number(fields.get('since') ?? 0),
      tried: Number(fields.get('tried') ?? 0),
      notice: notice === undefined ? undefined : Number(notice),
      notified: JSON.parse(fields.get('told') ?? '[]') as string[],
      lost: [...fields.keys()].flatMap((name) =>
        name.startsWith('lost:') ? [parseSlackItemName(name.slice(5))] : [],
      ),
      shown: Number(fields.get('shown') ?? 0),
      reports: Number(fields.get('reports') ?? 0),
      held: Number(fields.get('held') ?? 0),
    };
  }

  function findAffectedKeys(
    workspace: Id<'workspace'>,
    found: SlackTrouble | undefined,
  ): {item: string; owned: string[]; works: string[]} {
    const notified = found?.notice === undefined ? [] : found.notified;
    const keys = workspaceKeys(workspace);
    return {
      item: found?.notice === undefined ? '' : slackItemName({kind: 'notice', sequence: found.notice}),
      owned: notified.flatMap((person) => [keys.slackPending(person), keys.slackKept(person)]),
      works: notified.map((channel) => workName({kind: 'post-slack', channel})),
    };
  }

  return {
    find: findSlackTrouble,
    /** Records that a channel accepts no messages (`code`), or an item was given up, and updates notices. */
    async note(
      workspace: Id<'workspace'>,
      channel: string,
      {team, code, lost}: {readonly team: IdSuffix<'team'>; readonly code: string; readonly lost?: SlackItem},
      deadline: number,
    ): Promise<void> {
      const keys = workspaceKeys(workspace);
      const {item, owned, works} = findAffectedKeys(
        workspace,
        await findSlackTrouble(workspace, channel, deadline),
      );
      await run(
        deadline,
        noteTroubleScript,
        [keys.slackTrouble(channel), keys.slackReady(), keys.slackTroubles(), ...owned],
        [
          team,
          code,
          lost === undefined ? '' : slackItemName(lost),
          String(lifetimes.events),
          channel,
          item,
          ...works,
        ],
      );
    },
    /** Lists channels that had a problem, latest first. `past`: the end (ms) of the previous page. */
    async list(
      workspace: Id<'workspace'>,
      page: PageQuery,
      deadline: number,
    ): Promise<{readonly channels: readonly string[]; readonly next: number | undefined}> {
      const key = workspaceKeys(workspace).slackTroubles();
      const {entries, next} = await readPage(call, key, page, deadline);
      return {channels: entries, next};
    },
    /** Moves past a problem's event, with one message per person. False if another process was faster. */
    async read(
      workspace: Id<'workspace'>,
      {sequence, at, about}: LogMark,
      {channel, notify}: {readonly channel: string; readonly notify: readonly string[]},
      deadline: number,
    ): Promise<boolean> {
      const keys = workspaceKeys(workspace);
      const {notice, notified = []} = (await findSlackTrouble(workspace, channel, deadline)) ?? {};
      const others = notify
        .filter((person) => !notified.includes(person))
        .slice(0, Math.max(0, maxNotified - notified.length));
      const named = notice ?? sequence;
      const people = others.flatMap((person) => [
        keys.slackNotice(person, named),
        keys.slackPending(person),
        keys.slackKept(person),
      ]);
      const item = slackItemName({kind: 'notice', sequence: named});
      const works = others.map((person) => workName({kind: 'post-slack', channel: person}));
      return (
        (await run<number>(
          deadline,
          readTroubleScript,
          [keys.head(), keys.events(), keys.slackReady(), keys.slackTrouble(channel), ...people],
          [
            String(sequence),
            String(at),
            about,
            String(notice ?? ''),
            item,
            String(lifetimes.events),
            JSON.stringify(others),
            formatNotifiedEntry(channel),
            ...works,
          ],
        )) === 1
      );
    },
    /** Updates the messages to the people who were told. */
    async refresh(workspace: Id<'workspace'>, channel: string, deadline: number): Promise<readonly string[]> {
      const found = await findSlackTrouble(workspace, channel, deadline);
      const {item, owned, works} = findAffectedKeys(workspace, found);
      if (item === '') return [];
      await run(
        deadline,
        refreshTroubleScript,
        [workspaceKeys(workspace).slackReady(), ...owned],
        [item, ...works],
      );
      return found?.notified ?? [];
    },
    /**
     * Makes everything that waits in a channel due at once, even what was given up. Rate limits hold. Returns
     * false in a read-only workspace.
     */
    async resume(workspace: Id<'workspace'>, channel: string, deadline: number): Promise<boolean> {
      const keys = workspaceKeys(workspace);
      const lost = (await findSlackTrouble(workspace, channel, deadline))?.lost.slice(0, lostAtOnce) ?? [];
      const resumed = await run<number>(
        deadline,
        resumeChannelScript,
        [
          keys.slackTrouble(channel),
          keys.slackLease(channel),
          keys.slackPending(channel),
          keys.slackReady(),
          keys.head(),
          ...lost.map((item) => createSlackItemKey(workspace, channel, item)),
        ],
        [workName({kind: 'post-slack', channel}), ...lost.map(slackItemName)],
      );
      return resumed === 1;
    },
  };
}
