import {type Id, suffixOf, storedSuffix, type IdSuffix} from '../../domain/core/ids.js';
import {type Prompt, promptMoments, type PromptName} from '../../domain/prompts/prompt.js';
import {lifetimes} from '../../domain/core/limits.js';
import {parseSlackItemName, slackItemName} from '../../domain/slack/slack-post.js';
import type {RedisConnection} from '../core/connection.js';
import {makePromptsDueScript, movePromptScript, noteUnreachableScript} from '../core/compiled/lua.js';
import {type Key, workspaceKeys} from '../core/keys.js';
import {createSlackItemKey} from '../slack/slack-items.js';
import {findPromptQueue} from './prompt-queue.js';
import {formatNotifiedEntry} from '../slack/slack-people.js';
import type {SlackHold} from '../slack/slack-work.js';

/** A reminder that goes by mail and must be looked at. `due`: its due time as the store keeps it. */
export interface DuePrompt {
  readonly member: IdSuffix<'member'>;
  readonly date: string;
  readonly due: string;
}

/** The messages that remind people, one per member and date. Commits record the runs that each reminds of. */
export type Prompts = ReturnType<typeof createPrompts>;

/** The number of reminders that one script makes due. Each needs three keys. */
const askedAtOnce = 50;
/** The time (s) for which the members that a run's reminders did not reach are kept. */
export const unreachableLifetime = 400 * 24 * 3600;

export function createPrompts({call, run, clock}: RedisConnection) {
  async function parseHash(key: Key<'hash'>, deadline: number): Promise<Map<string, string>> {
    const flat = await call<string[]>(deadline, ['HGETALL', key]);
    return new Map(flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? ''] as const] : [])));
  }

  /** Returns the existing reminders with their recipients. */
  async function findPromptRecipients(
    workspace: Id<'workspace'>,
    named: readonly Omit<PromptName, 'user'>[],
    deadline: number,
  ): Promise<PromptName[]> {
    const keys = workspaceKeys(workspace);
    // Commands that are issued in the same tick are sent to Redis together.
    const users = await Promise.all(
      named.map(({member, date}) =>
        call<string | null>(deadline, ['HGET', keys.slackPrompt(member, date), 'user']),
      ),
    );
    return named.flatMap((name, i) => {
      const user = users[i];
      return user ? [{...name, user}] : [];
    });
  }

  return {
    /** Finds the reminder of a member, given by its id suffix, on a date. */
    async find(
      workspace: Id<'workspace'>,
      member: IdSuffix<'member'>,
      date: string,
      deadline: number,
    ): Promise<Prompt | undefined> {
      const fields = await parseHash(workspaceKeys(workspace).slackPrompt(member, date), deadline);
      const user = fields.get('user');
      return user === undefined ? undefined : parsePrompt(member, date, user, fields);
    },
    /** Returns the existing reminders of a member on these dates. */
    listOf: (
      workspace: Id<'workspace'>,
      member: IdSuffix<'member'>,
      dates: readonly string[],
      deadline: number,
    ): Promise<readonly PromptName[]> =>
      findPromptRecipients(
        workspace,
        dates.map((date) => ({member: suffixOf(member), date})),
        deadline,
      ),
    /** Returns the first reminder that goes by mail and is due; undefined if none is. */
    async findDue(workspace: Id<'workspace'>, deadline: number): Promise<DuePrompt | undefined> {
      const key = workspaceKeys(workspace).remindPending();
      // A reminder that was asked for again is due some microseconds later.
      const range = ['-inf', String(clock.now() + 1), 'BYSCORE', 'LIMIT', '0', '1', 'WITHSCORES'];
      const [name, due] = await call<string[]>(deadline, ['ZRANGE', key, ...range]);
      const item = name === undefined ? undefined : parseSlackItemName(name);
      return item?.kind === 'prompt' && due !== undefined
        ? {member: item.member, date: item.date, due}
        : undefined;
    },
    /** Returns a Slack user's direct message channel, if Slack returned it within the last 30 days. */
    async findDirect(
      workspace: Id<'workspace'>,
      user: string,
      deadline: number,
    ): Promise<string | undefined> {
      const kept = await call<string[]>(deadline, ['SMEMBERS', workspaceKeys(workspace).slackKept(user)]);
      const own = kept.filter((entry) => !entry.startsWith(formatNotifiedEntry('')));
      const found = await Promise.all(
        own.map((entry) =>
          call<string | null>(deadline, [
            'HGET',
            createSlackItemKey(workspace, user, parseSlackItemName(entry)),
            'channel',
          ]),
        ),
      );
      return found.find((channel) => channel !== null) ?? undefined;
    },
    /** Returns the reminders of a run. */
    async listOfRun(
      workspace: Id<'workspace'>,
      id: IdSuffix<'run'>,
      deadline: number,
    ): Promise<readonly PromptName[]> {
      const found = await call<string[]>(deadline, ['SMEMBERS', workspaceKeys(workspace).slackPromptsOf(id)]);
      const named = found.map((name) => {
        const [member = '', date = ''] = name.split('/');
        return {member: storedSuffix<'member'>(member), date};
      });
      return findPromptRecipients(workspace, named, deadline);
    },
    /** Makes reminders due again because their content may have changed, but not before quiet hours end. */
    async ask(workspace: Id<'workspace'>, prompts: readonly PromptName[], deadline: number): Promise<void> {
      const keys = workspaceKeys(workspace);
      for (let from = 0; from < prompts.length; from += askedAtOnce) {
        const some = prompts.slice(from, from + askedAtOnce);
        await run(
          deadline,
          makePromptsDueScript,
          some.flatMap(({member, date, user}) => {
            const {pending, ready} = findPromptQueue(keys, user);
            return [keys.slackPrompt(member, date), pending, ready];
          }),
          some.flatMap(({member, date, user}) => [
            slackItemName({kind: 'prompt', member, date}),
            findPromptQueue(keys, user).name,
          ]),
        );
      }
    },
    /**
     * Moves a reminder that was never sent to a later date, where it is due at once. If the member already
     * has a reminder on that date, both are merged; it is sent again if a snooze has just ended. Does nothing
     * if this worker no longer holds the channel in Slack. A mail needs no
     * holder.
     */
    async moveTo(
      {workspace, holder = ''}: Pick<SlackHold, 'workspace'> & Partial<Pick<SlackHold, 'holder'>>,
      {member, date, user, runs}: Prompt,
      later: string,
      deadline: number,
    ): Promise<void> {
      const keys = workspaceKeys(workspace);
      const queue = findPromptQueue(keys, user);
      await run(
        deadline,
        movePromptScript,
        [
          keys.slackLease(user),
          keys.slackPrompt(member, date),
          keys.slackPrompt(member, later),
          queue.pending,
          queue.ready,
          ...[...runs.keys()].map((id) => keys.slackPromptsOf(id)),
          ...queue.kept,
        ],
        [
          holder,
          slackItemName({kind: 'prompt', member, date}),
          slackItemName({kind: 'prompt', member, date: later}),
          queue.name,
          String(lifetimes.events),
          `${member}/${later}`,
          String(runs.size),
        ],
      );
    },
    /** Records for runs (id suffixes) that a member's reminder was not delivered, or finally was. */
    async noteUnreachable(
      workspace: Id<'workspace'>,
      runs: readonly IdSuffix<'run'>[],
      member: IdSuffix<'member'>,
      code: string | undefined,
      deadline: number,
    ): Promise<void> {
      const keys = workspaceKeys(workspace);
      await Promise.all(
        runs.flatMap((id) => {
          const key = keys.slackUnreachable(id);
          if (code === undefined) return [call(deadline, ['HDEL', key, suffixOf(member)])];
          const args = [suffixOf(member), code, String(unreachableLifetime)];
          return [run(deadline, noteUnreachableScript, [key], args)];
        }),
      );
    },
    /** Returns those of the given members that the reminder of a run did not reach. */
    async findUnreachable(
      workspace: Id<'workspace'>,
      id: Id<'run'>,
      members: readonly Id<'member'>[],
      deadline: number,
    ): Promise<ReadonlySet<Id<'member'>>> {
      if (members.length === 0) return new Set();
      const key = workspaceKeys(workspace).slackUnreachable(id);
      const found = await call<(string | null)[]>(deadline, ['HMGET', key, ...members.map(suffixOf)]);
      return new Set(members.filter((_, i) => found[i] !== null));
    },
  };
}

function parsePrompt(
  member: IdSuffix<'member'>,
  date: string,
  user: string,
  fields: ReadonlyMap<string, string>,
): Prompt {
  const number = (name: string): number | undefined => {
    const value = fields.get(name);
    return value === undefined ? undefined : Number(value);
  };
  const byRun = (kind: string) =>
    new Map(
      [...fields].flatMap(([name, value]) =>
        name.startsWith(kind) ? [[storedSuffix<'run'>(name.slice(kind.length)), Number(value)] as const] : [],
      ),
    );
  return {
    member: storedSuffix(member),
    date,
    user,
    runs: byRun('run:'),
    reminded: byRun('due:'),
    moments: new Map(
      promptMoments.flatMap((moment) => {
        const at = number(`why:${moment}`);
        return at === undefined ? [] : [[moment, at] as const];
      }),
    ),
    sent: number('sent') ?? 0,
    notBefore: number('before') ?? 0,
    snoozed: number('snoozed'),
    take: number('take') ?? 0,
    ts: fields.get('ts'),
    channel: fields.get('channel'),
    old: fields.get('old')?.split(',') ?? [],
    sending: fields.get('sending'),
    shown: fields.get('shown'),
    failures: number('failures') ?? 0,
    linksUntil: number('links') ?? 0,
    failed: fields.get('failed'),
  };
}
