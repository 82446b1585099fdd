import {type Work, workName} from '../../domain/core/work.js';
import {lifetimes} from '../../domain/core/limits.js';
import {callWhenFull, type RedisCommands} from '../core/connection.js';
import {claimSlackWorkspaceScript, parkWorkScript, postponeWorkScript} from '../core/compiled/lua.js';
import {globalKeys, workspaceKeys} from '../core/keys.js';
import {type Id, storedId} from '../../domain/core/ids.js';

export interface SlackInstallationRecord {
  readonly slackId: string;
  /** The time of the last installation, in ms by the clock of Redis. */
  readonly installedAt: number;
  /** The encrypted bot token; undefined while the bot is disconnected. */
  readonly encrypted: string | undefined;
  /** The name of the workspace or organisation in Slack. */
  readonly name: string | undefined;
  /** The person who last installed the bot, if that person is a member. */
  readonly by: Id<'member'> | undefined;
}

/** Stores which of our workspaces each Slack workspace belongs to, and the encrypted bot tokens. */
export type SlackInstallationRecords = ReturnType<typeof createSlackInstallationRecords>;

const postponedMs = 5 * 60_000;
const pageSize = '100';
const parkedMs = 24 * 3_600_000;

export function createSlackInstallationRecords({call, run}: RedisCommands) {
  return {
    /**
     * Returns our workspace to which a Slack workspace belongs permanently: the one stored earlier, or else
     * `workspace`, which is stored now. With `alone`, `workspace` must not have another Slack workspace;
     * otherwise the result is undefined.
     */
    async claim(
      slackId: string,
      workspace: Id<'workspace'>,
      {alone}: {readonly alone: boolean},
      deadline: number,
    ): Promise<Id<'workspace'> | undefined> {
      const args = [slackId, workspace, alone ? '1' : '0'];
      return (
        (await run<Id<'workspace'> | null>(
          deadline,
          claimSlackWorkspaceScript,
          [globalKeys.slackWorkspaces()],
          args,
        )) ?? undefined
      );
    },
    async findWorkspace(slackId: string, deadline: number): Promise<Id<'workspace'> | undefined> {
      const key = globalKeys.slackWorkspaces();
      return (await call<Id<'workspace'> | null>(deadline, ['HGET', key, slackId])) ?? undefined;
    },
    /** Returns the installation of a workspace; undefined if the bot was never installed. */
    async find(workspace: Id<'workspace'>, deadline: number): Promise<SlackInstallationRecord | undefined> {
      const keys = workspaceKeys(workspace);
      // The record is read before the token, so that a replaced token is not taken for the new one.
      const [[slackId, installed, name, by], encrypted] = await Promise.all([
        call<(string | null)[]>(deadline, [
          'HMGET',
          keys.slackInstallation(),
          'id',
          'installed',
          'name',
          'by',
        ]),
        call<string | null>(deadline, ['GET', keys.slackToken()]),
      ]);
      if (typeof slackId !== 'string') return undefined;
      const details = {name: name ?? undefined, by: !by ? undefined : storedId<'member'>(by)};
      return {slackId, installedAt: Number(installed), encrypted: encrypted ?? undefined, ...details};
    },
    /** Lists all, in pages of about 100. One may come twice. `within` creates a time limit for each page. */
    async *listPages(within: () => number): AsyncGenerator<{slackId: string; workspace: Id<'workspace'>}[]> {
      let cursor = '0';
      do {
        const args = [globalKeys.slackWorkspaces(), cursor, 'COUNT', pageSize] as const;
        const [next, flat] = await call<[string, string[]]>(within(), ['HSCAN', ...args]);
        yield flat.flatMap((slackId, i) =>
          i % 2 === 0 ? [{slackId, workspace: storedId<'workspace'>(flat[i + 1] ?? '')}] : [],
        );
        cursor = next;
      } while (cursor !== '0');
    },
    /** Records that a process reads the logs of all workspaces with the bot. `now`: the time (ms). */
    async noteRead(now: number, deadline: number): Promise<void> {
      await callWhenFull({run}, deadline, ['SET', globalKeys.slackRead(), String(now)]);
    },
    /** True if a process has read the logs of all workspaces with the bot within a day. */
    async areRead(now: number, deadline: number): Promise<boolean> {
      const at = await call<string | null>(deadline, ['GET', globalKeys.slackRead()]);
      return at !== null && now - Number(at) < lifetimes.idleConsumer * 1_000;
    },
    /** Postpones work if the workspace has no bot token. A new connection to Slack makes it due again. */
    async park(workspace: Id<'workspace'>, work: Work, deadline: number): Promise<void> {
      const keys = workspaceKeys(workspace);
      const args = [workName(work), String(parkedMs)];
      await run(deadline, parkWorkScript, [keys.slackToken(), keys.slackReady()], args);
    },
    /** Postpones work for minutes, for a token in the environment: no new connection makes the work due. */
    async postpone(workspace: Id<'workspace'>, work: Work, deadline: number): Promise<void> {
      const args = [workName(work), String(postponedMs)];
      await run(deadline, postponeWorkScript, [workspaceKeys(workspace).slackReady()], args);
    },
  };
}

const stateSeconds = '600';

/** Started installations of the bot. Each accepts one redirect back from Slack, within 10 minutes. */
export function createSlackStates({call}: RedisCommands) {
  return {
    async keep(hash: string, deadline: number): Promise<void> {
      await call(deadline, ['SET', globalKeys.slackState(hash), '1', 'EX', stateSeconds]);
    },
    /** Returns true if this state (from Slack's redirect) was stored, but only the first time. */
    async take(hash: string, deadline: number): Promise<boolean> {
      return (await call<string | null>(deadline, ['GETDEL', globalKeys.slackState(hash)])) !== null;
    },
  };
}
