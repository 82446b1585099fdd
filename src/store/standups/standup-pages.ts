import {createQuestionBatcher} from '../../domain/core/ask-together.js';
import type {ListQuery, Page, Row} from '../../domain/core/lists.js';
import type {SlackMessage} from '../../domain/slack/slack-post.js';
import type {RedisCommands} from '../core/connection.js';
import {readStandupPageScript} from '../core/compiled/lua.js';
import {type AnyKey, type WorkspaceKeys, workspaceKeys} from '../core/keys.js';
import {addMissingFieldsToRecord} from '../core/earlier-records.js';
import {createPageArgs, findNextPageStart, readEntries} from '../core/record-lists.js';
import {emptyThread, type StoredThread} from '../../domain/standups/thread.js';
import type {Standup} from '../../domain/standups/standup.js';
import {type MessageFields, parseSlackMessage} from '../slack/slack-shown.js';
import {createThreadKeys, type FoundThread, readThreads} from './threads.js';
import {type Id, storedSuffix} from '../../domain/core/ids.js';

export interface ShownRow extends Row<Standup> {
  /** The standup's Slack message; null if it has none, or the caller did not ask for it. */
  readonly slack: SlackMessage | null;
  /** The standup's thread; empty if it has no comments and reactions, or the caller did not ask for it. */
  readonly thread: StoredThread;
}

/** A part of a list of standups. The list is read first, then everything else at the same instant. */
export interface StandupPage extends Page<ShownRow> {
  /** The version of the teams. */
  readonly teams: string;
  /** A text that changes whenever the content of the page changes. */
  readonly mark: string;
  /** True if the caller knows the page with this mark. Then no records are read, and there are no rows. */
  readonly unchanged: boolean;
}

type PageReply =
  | [mark: string, waiting: string[]]
  | [
      mark: string,
      waiting: string[],
      teams: string,
      records: (string | null)[],
      messages: [row: number, MessageFields][],
      threads: FoundThread[],
    ];

interface PageQuestion {
  readonly workspace: Id<'workspace'>;
  readonly query: ListQuery;
  readonly shown: boolean;
  readonly known: string;
}

/**
 * Reads standups with everything that a list shows of them. `shown`: with Slack messages and threads. A script
 * may only use keys that it is given, so each step reads what names the keys of the next one.
 */
export function createStandupPages({call, run}: Pick<RedisCommands, 'call' | 'run'>) {
  const readTogether = createQuestionBatcher<PageQuestion, StandupPage>(async (asked, _, deadline) => {
    const page = await readPage(asked, deadline);
    return () => page;
  }, setImmediate);

  async function readPage(
    {workspace, query, shown, known}: PageQuestion,
    deadline: number,
  ): Promise<StandupPage> {
    const keys = workspaceKeys(workspace);
    const lists = [query.list].flat().map(keys.list);
    const entries = await readEntries({call, run}, lists, query, deadline);
    const suffixes = entries
      .filter((_, i) => i % 2 === 0)
      .slice(0, query.limit)
      .map((suffix) => storedSuffix<'standup'>(suffix));
    const used: AnyKey[] = [keys.head(), keys.events(), ...suffixes.map(keys.record)];
    if (shown) used.push(...suffixes.map(keys.slackPost), ...createThreadKeys(keys, suffixes));
    const foundPage = `${lists.join()} ${entries.join(' ')}`;

    async function readRows(base: string): Promise<StandupPage> {
      const args = [foundPage, base, String(suffixes.length)];
      const [rowsMark, waiting, teams = '', records = [], messages = [], threads = []] = await run<PageReply>(
        deadline,
        readStandupPageScript,
        used,
        args,
      );
      const troubles = await readTroubles(keys, waiting, deadline);
      const mark = [rowsMark, ...troubles.values()].join('.');
      // The same rows, but a channel has got into trouble, or out of it.
      if (rowsMark === base && mark !== known) return readRows('');
      // Without a next page, since a caller who knows this one needs no more rows.
      if (mark === known) return {rows: [], next: undefined, teams, mark, unchanged: true};
      const shownThreads = await readThreads({call, run}, keys, threads, deadline);
      if (shownThreads === undefined) return readRows('');
      const slackMessages = new Map(
        messages.map(([row, fields]) => [
          row - 1,
          parseSlackMessage(fields, troubles.get(fields[0] ?? '') ?? null),
        ]),
      );
      const rows = records.flatMap((kept, i) => {
        if (kept === null) return [];
        const [position, json] = [Number(entries[2 * i + 1]), addMissingFieldsToRecord<Standup>(kept)];
        const thread = shownThreads.get(i) ?? emptyThread;
        return [{position, json, slack: slackMessages.get(i) ?? null, thread}];
      });
      return {rows, next: findNextPageStart(entries, query.limit), teams, mark, unchanged: false};
    }

    return readRows(known.split('.')[0] ?? '');
  }

  /** Reads the problems of channels with messages that wait. */
  async function readTroubles(
    keys: WorkspaceKeys,
    channels: readonly string[],
    deadline: number,
  ): Promise<Map<string, string | null>> {
    const read = [...new Set(channels)].map(async (channel) => {
      const key = keys.slackTrouble(channel);
      return [channel, await call<string | null>(deadline, ['HGET', key, 'code'])] as const;
    });
    return new Map(await Promise.all(read));
  }

  return {
    read(
      workspace: Id<'workspace'>,
      query: ListQuery,
      {shown, known = ''}: {readonly shown: boolean; readonly known?: string | undefined},
      deadline: number,
    ): Promise<StandupPage> {
      const name = [workspace, [query.list].join(), known, shown, ...createPageArgs(query)].join(' ');
      return readTogether(name, {workspace, query, shown, known}, deadline);
    },
  };
}
