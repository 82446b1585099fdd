import {createQuestionBatcher} from '../../domain/core/ask-together.js';
import type {ListQuery, Page, Row} from '../../domain/core/lists.js';
import type {SlackMessage} from '../../domain/slack/slack-post.js';
import type {RedisCommands} from '../core/connection.js';
import {readStandupPageScript} from '../core/compiled/lua.js';
import {workspaceKeys} from '../core/keys.js';
import {addMissingFieldsToRecord} from '../core/earlier-records.js';
import {findNextPageStart, createRangeArgs} from '../core/record-lists.js';
import type {Standup} from '../../domain/standups/standup.js';
import {type MessageFields, parseSlackMessage} from '../slack/slack-shown.js';
import type {Id} from '../../domain/core/ids.js';

export interface ShownRow extends Row<Standup> {
  /** The standup's Slack message; null if it has none, or the caller did not ask for it. */
  readonly slack: SlackMessage | null;
}

/** A part of a list of standups, all read at the same instant. */
export interface StandupPage extends Page<ShownRow> {
  /** The version of the teams. */
  readonly teams: string;
  /** A text that changes whenever the content of the page changes. */
  readonly mark: string;
  /** True if the caller knows the page with this mark. Then no records are read, and there are no rows. */
  readonly unchanged: boolean;
}

type PageReply =
  | [mark: string]
  | [
      mark: string,
      teams: string,
      found: string[],
      records: (string | null)[],
      messages: [number, MessageFields, string | null][],
    ];

/** A request in the form that the script reads. */
interface PageScriptInput {
  readonly keys: readonly string[];
  readonly args: readonly string[];
  readonly limit: number;
  readonly known: string;
}

/** Reads standups with everything that a list shows of them, in one step. `shown`: with Slack messages. */
export function createStandupPages({run}: RedisCommands) {
  const readTogether = createQuestionBatcher<PageScriptInput, StandupPage>(async (input, _, deadline) => {
    const page = parseStandupPage(
      input,
      await run<PageReply>(deadline, readStandupPageScript, input.keys, input.args),
    );
    return () => page;
  }, setImmediate);

  return {
    read(
      workspace: Id<'workspace'>,
      query: ListQuery,
      {shown, known = ''}: {readonly shown: boolean; readonly known?: string | undefined},
      deadline: number,
    ): Promise<StandupPage> {
      const keys = workspaceKeys(workspace);
      const list = keys.list(query.list);
      const count = String(query.limit + 1);
      const range = [...createRangeArgs(query), 'LIMIT', '0', count, 'WITHSCORES'];
      const args = [`{${workspace}}:`, known, shown ? '1' : '0', count, ...range];
      const asked = {keys: [keys.head(), keys.events(), list], args, limit: query.limit, known};
      return readTogether(`${list} ${args.join(' ')}`, asked, deadline);
    },
  };
}

function parseStandupPage(
  {limit, known}: PageScriptInput,
  [mark, teams = '', found = [], records = [], messages = []]: PageReply,
): StandupPage {
  const slackMessages = new Map(
    messages.map(([row, fields, trouble]) => [row - 1, parseSlackMessage(fields, trouble)]),
  );
  const rows = records.flatMap((kept, i) => {
    const [position, slack] = [Number(found[2 * i + 1]), slackMessages.get(i) ?? null];
    return kept === null ? [] : [{position, json: addMissingFieldsToRecord<Standup>(kept), slack}];
  });
  return {rows, next: findNextPageStart(found, limit), teams, mark, unchanged: mark === known};
}
