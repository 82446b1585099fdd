import {createQuestionBatcher} from '../../domain/core/ask-together.js';
import type {ListQuery, Page, Row} from '../../domain/core/lists.js';
import type {SlackMessage} from '../../domain/slack/slack-post.js';
import {type RedisConnection, script} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';
import {addMissingFieldsToRecord} from '../core/earlier-records.js';
import {findNextPageStart, createRangeArgs} from '../core/record-lists.js';
import type {Standup} from '../../domain/standups/standup.js';
import {type MessageFields, messageFields, parseSlackMessage} from '../slack/slack-shown.js';
import type {Id} from '../../domain/core/ids.js';

export interface ShownRow extends Row<Standup> {
  /**
   * The Slack message of the standup. Null if it has none, or if the caller did not ask for Slack messages.
   */
  readonly slack: SlackMessage | null;
}

/** A part of a list of standups, all read at the same instant. */
export interface StandupPage extends Page<ShownRow> {
  /** The version of the teams. */
  readonly teams: string;
  /** A text that changes whenever the content of the page changes. */
  readonly mark: string;
  /**
   * True if the caller already knows the page with this mark. Then no records are read, and there are no
   * rows.
   */
  readonly unchanged: boolean;
}

/** Reads standups with everything that a list shows of them, in one step. */
export interface StandupPages {
  read: (
    workspace: Id<'workspace'>,
    query: ListQuery,
    options: {readonly shown: boolean; readonly known?: string | undefined},
    deadline: number,
  ) => Promise<StandupPage>;
}

/**
 * Reads a page of standups. KEYS: the workspace's head, the event log, the list. ARGV: the prefix of the
 * workspace's keys, the mark that the caller knows, 1 to include Slack messages, the number of rows plus one,
 * the range of positions. Further keys are in the same cluster slot.
 *
 * Each change of a standup has an event, so records need not be read while the log has the same last event.
 * The time of that event distinguishes the log of a restored store. A removal without an event changes the
 * list. Slack messages change and expire without events.
 */
const pageScript = script(`#!lua flags=no-writes
local head = redis.call('HMGET', KEYS[1], 'sequence', 'version:teams')
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
local found = redis.call('ZRANGE', KEYS[3], unpack(ARGV, 5))
local records, posts = {}, {}
for i = 1, math.min(#found, 2 * (ARGV[4] - 1)), 2 do
  records[#records + 1] = ARGV[1] .. 'r:' .. found[i]
  posts[#posts + 1] = ARGV[1] .. 'p:' .. found[i]
end
local seen = {KEYS[3], head[1] or '', head[2] or '', last and last[1] .. table.concat(last[2], ' ') or '', table.concat(found, ' ')}
local messages = {}
if ARGV[3] == '1' and #posts > 0 and redis.call('EXISTS', unpack(posts)) > 0 then
  for i, post in ipairs(posts) do
    local message = redis.call('HMGET', post, ${messageFields.map((name) => `'${name}'`).join(', ')})
    local channel, trouble = message[1], false
    -- A standup that waits behind another one, which Slack refused, has not been tried itself.
    if channel and not message[2] and not message[4] then
      trouble = redis.call('HGET', ARGV[1] .. 'c:' .. channel .. ':trouble', 'code')
    end
    if channel then
      messages[#messages + 1] = {i, message, trouble}
      for n = 1, ${messageFields.length} do seen[#seen + 1] = message[n] or '' end
      seen[#seen + 1] = trouble or ''
    end
  end
end
local mark = redis.sha1hex(table.concat(seen, '\\n'))
if mark == ARGV[2] then return {mark} end
return {mark, head[2] or '', found, #records > 0 and redis.call('MGET', unpack(records)) or {}, messages}`);

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

export function createStandupPages({run}: Pick<RedisConnection, 'run'>): StandupPages {
  const readTogether = createQuestionBatcher<PageScriptInput, StandupPage>(async (input, _, deadline) => {
    const page = parseStandupPage(input, await run<PageReply>(deadline, pageScript, input.keys, input.args));
    return () => page;
  }, setImmediate);

  return {
    read(workspace, query, {shown, known = ''}, deadline) {
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
