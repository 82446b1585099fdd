import {drawnPart} from '../domain/ids.js';
import type {Prompt, PromptName} from '../domain/prompt.js';
import {slackItemName} from '../domain/slack-post.js';
import {workName} from '../domain/work.js';
import {type Connection, script} from './connection.js';
import {type Key, workspaceKeys} from './keys.js';

/** The messages by which people are reminded, one for each member and date; commits note what they are about. */
export interface Prompts {
  /** By the drawn half of the member's id. */
  find(workspace: string, member: string, date: string, deadline: number): Promise<Prompt | undefined>;
  /** The prompts of a member on these dates, as far as there are any. */
  listOf(
    workspace: string,
    member: string,
    dates: readonly string[],
    deadline: number,
  ): Promise<readonly PromptName[]>;
  /** The prompts that are about a run. */
  listOfRun(workspace: string, run: string, deadline: number): Promise<readonly PromptName[]>;
  /** Has these looked at again, since what they should show may be another now; never before quiet hours are over. */
  ask(workspace: string, prompts: readonly PromptName[], deadline: number): Promise<void>;
  /** Notes that Slack did not deliver a reminder of these runs (drawn halves) to somebody, or that it has in the end. */
  noteUnreachable(
    workspace: string,
    runs: readonly string[],
    member: string,
    code: string | undefined,
    deadline: number,
  ): Promise<void>;
  /** Those of these members (ids) whom Slack delivered no reminder of a run to. */
  findUnreachable(
    workspace: string,
    run: string,
    members: readonly string[],
    deadline: number,
  ): Promise<ReadonlySet<string>>;
}

/** Prompts that one script asks for anew: three keys each. */
const askedAtOnce = 50;
const unreachableLifetime = 400 * 24 * 3600;

/** KEYS: ready, then for each prompt: its record, pending. ARGV: for each prompt: item, work. */
const askScript = script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
for i = 1, #ARGV, 2 do
  local prompt, pending = KEYS[i + 1], KEYS[i + 2]
  if redis.call('EXISTS', prompt) == 1 then
    local due = tonumber(redis.call('ZSCORE', pending, ARGV[i]) or '')
    if due and due <= now then
      redis.call('ZINCRBY', pending, '0.001', ARGV[i])
    else
      redis.call('ZADD', pending, now, ARGV[i])
    end
    redis.call('ZADD', KEYS[1], 'LT', now, ARGV[i + 1])
  end
end
return 1`);

export function createPrompts({call, run}: Pick<Connection, 'call' | 'run'>): Prompts {
  async function readHash(key: Key<'hash'>, deadline: number): Promise<Map<string, string>> {
    const flat = await call<string[]>(deadline, ['HGETALL', key]);
    return new Map(flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? ''] as const] : [])));
  }

  return {
    async find(workspace, member, date, deadline) {
      const fields = await readHash(workspaceKeys(workspace).slackPrompt(member, date), deadline);
      const user = fields.get('user');
      return user === undefined ? undefined : toPrompt(member, date, user, fields);
    },
    async listOf(workspace, member, dates, deadline) {
      const keys = workspaceKeys(workspace);
      const drawn = drawnPart(member);
      // Asked together, the commands go out as one.
      const users = await Promise.all(
        dates.map((date) => call<string | null>(deadline, ['HGET', keys.slackPrompt(drawn, date), 'user'])),
      );
      return dates.flatMap((date, i) => {
        const user = users[i];
        return user ? [{member: drawn, date, user}] : [];
      });
    },
    async listOfRun(workspace, id, deadline) {
      const found = await call<string[]>(deadline, ['SMEMBERS', workspaceKeys(workspace).slackPromptsOf(id)]);
      return found.map((name) => {
        const [member = '', date = '', user = ''] = name.split('/');
        return {member, date, user};
      });
    },
    async ask(workspace, prompts, deadline) {
      const keys = workspaceKeys(workspace);
      for (let from = 0; from < prompts.length; from += askedAtOnce) {
        const some = prompts.slice(from, from + askedAtOnce);
        await run(
          deadline,
          askScript,
          [
            keys.ready(),
            ...some.flatMap(({member, date, user}) => [
              keys.slackPrompt(member, date),
              keys.slackPending(user),
            ]),
          ],
          some.flatMap(({member, date, user}) => [
            slackItemName({kind: 'prompt', member, date}),
            workName({kind: 'post-slack', channel: user}),
          ]),
        );
      }
    },
    async noteUnreachable(workspace, runs, member, code, deadline) {
      const keys = workspaceKeys(workspace);
      await Promise.all(
        runs.flatMap((id) => {
          const key = keys.slackUnreachable(id);
          if (code === undefined) return [call(deadline, ['HDEL', key, drawnPart(member)])];
          // They go out as one, in this order.
          return [
            call(deadline, ['HSET', key, drawnPart(member), code]),
            call(deadline, ['EXPIRE', key, String(unreachableLifetime)]),
          ];
        }),
      );
    },
    async findUnreachable(workspace, id, members, deadline) {
      if (members.length === 0) return new Set();
      const key = workspaceKeys(workspace).slackUnreachable(id);
      const found = await call<(string | null)[]>(deadline, ['HMGET', key, ...members.map(drawnPart)]);
      return new Set(members.filter((_, i) => found[i] !== null));
    },
  };
}

function toPrompt(member: string, date: string, user: string, fields: ReadonlyMap<string, string>): Prompt {
  const number = (name: string): number | undefined => {
    const value = fields.get(name);
    return value === undefined ? undefined : Number(value);
  };
  const runs = [...fields].flatMap(([name, closes]) =>
    name.startsWith('run:') ? [[name.slice(4), Number(closes)] as const] : [],
  );
  return {
    member,
    date,
    user,
    runs: new Map(runs),
    notBefore: number('before') ?? 0,
    times: number('times') ?? 1,
    snoozed: number('snoozed'),
    take: number('take') ?? 0,
    ts: fields.get('ts'),
    sending: fields.get('sending'),
    shown: fields.get('shown'),
    failures: number('failures') ?? 0,
    links: number('links') ?? 0,
    failed: fields.get('failed'),
  };
}
