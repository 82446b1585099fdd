import {parseWork, type Work, workName} from '../domain/work.js';
import {callWhenFull, type Connection, script} from './connection.js';
import {globalKeys, workspaceKeys} from './keys.js';

/** Work that someone must look at now, and how long it has been waiting for that (ms). */
export interface DueWork {
  readonly workspace: string;
  readonly work: Work;
  readonly overdueMs: number;
}

/** One look for due work over all workspaces. */
export interface Look {
  /** Where the look before has stopped; any number to begin with. */
  readonly from: number;
  /** The share of each workspace, however many have work. */
  readonly perWorkspace: number;
  /** The look stops at the workspace with which it has found so many; if it finds fewer, the room that is left goes to those with more than their share. */
  readonly atMost: number;
  readonly isWanted: (work: Work) => boolean;
}

interface Found {
  readonly workspace: string;
  readonly due: DueWork[];
  readonly more: boolean;
}

export interface Ready {
  /**
   * Due work, one piece of each workspace before the second of any. Where a workspace has more than it gets, each look takes other
   * pieces, so that nothing which stays due hides what else there is. `next`: where the next look should begin.
   */
  listDue(look: Look, deadline: number): Promise<{due: DueWork[]; next: number}>;
  /** Names the next time someone must look; undefined when there is nothing more to do. */
  settle(workspace: string, work: Work, nextAt: number | undefined, deadline: number): Promise<void>;
  /** True while this process may run the pump; holds for `leaseMs`. */
  holdPump(holder: string, leaseMs: number, deadline: number): Promise<boolean>;
}

const holdScript = script(`#!lua flags=allow-oom
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`);

/** Workspaces asked at once, and names read of each: so many at a time, so many times at the most. */
const askedAtOnce = 500;
const namesRead = 100;
const maxPages = 20;

export function createReady({call, run}: Pick<Connection, 'call' | 'run'>): Ready {
  /** Up to `share` pieces of work, and whether there are more. */
  async function listOf(
    workspace: string,
    share: number,
    {now, isWanted}: {now: number; isWanted: Look['isWanted']},
    deadline: number,
  ): Promise<Found> {
    const due: DueWork[] = [];
    // Work that nobody wants at the moment, such as that of Slack while it is not set up, must not hide what is behind it.
    for (let page = 0; page < maxPages && due.length <= share; page += 1) {
      const limit = ['LIMIT', String(page * namesRead), String(namesRead), 'WITHSCORES'];
      const range = ['ZRANGE', workspaceKeys(workspace).ready(), '-inf', String(now), 'BYSCORE', ...limit];
      const found = await call<string[]>(deadline, range);
      for (let i = 0; i < found.length; i += 2) {
        const work = parseWork(found[i] ?? '');
        if (work !== undefined && isWanted(work)) {
          due.push({workspace, work, overdueMs: now - Number(found[i + 1])});
        }
      }
      if (found.length < 2 * namesRead) break;
    }
    if (due.length <= share) return {workspace, due, more: false};
    const first = (Math.floor(now / 1_000) * share) % due.length;
    return {workspace, due: [...due.slice(first), ...due.slice(0, first)].slice(0, share), more: true};
  }

  return {
    async listDue(look, deadline) {
      const [workspaces, time] = await Promise.all([
        call<string[]>(deadline, ['SMEMBERS', globalKeys.workspaces()]),
        call<string[]>(deadline, ['TIME']),
      ]);
      const now = Number(time[0]) * 1_000 + Math.floor(Number(time[1]) / 1_000);
      const first = workspaces.length === 0 ? 0 : look.from % workspaces.length;
      const order = [...workspaces.slice(first), ...workspaces.slice(0, first)];
      const wanted = {now, isWanted: look.isWanted};
      let found: Found[] = [];
      let [asked, count] = [0, 0];
      while (asked < order.length && count < look.atMost) {
        const some = order.slice(asked, asked + askedAtOnce);
        for (const one of await Promise.all(
          some.map((id) => listOf(id, look.perWorkspace, wanted, deadline)),
        )) {
          if (count >= look.atMost) break;
          asked += 1;
          count += one.due.length;
          if (one.due.length > 0) found.push(one);
        }
      }
      const crowded = found.filter(({more}) => more).length;
      const share = look.perWorkspace + Math.floor(Math.max(0, look.atMost - count) / Math.max(1, crowded));
      if (share > look.perWorkspace) {
        found = await Promise.all(
          found.map(async (one) => (one.more ? listOf(one.workspace, share, wanted, deadline) : one)),
        );
      }
      // Once round is one further: nobody is always the first to be asked.
      const next = look.from + (asked < order.length ? asked : 1);
      return {due: inTurn(found.map(({due}) => due)), next};
    },
    async settle(workspace, work, nextAt, deadline) {
      const ready = workspaceKeys(workspace).ready();
      const name = workName(work);
      await callWhenFull(
        {run},
        deadline,
        nextAt === undefined ? ['ZREM', ready, name] : ['ZADD', ready, String(nextAt), name],
      );
    },
    async holdPump(holder, leaseMs, deadline) {
      return (await run<number>(deadline, holdScript, [globalKeys.pump()], [holder, String(leaseMs)])) === 1;
    },
  };
}

function inTurn(found: readonly DueWork[][]): DueWork[] {
  const most = Math.max(0, ...found.map(({length}) => length));
  return Array.from({length: most}, (_, place) => found.flatMap((due) => due[place] ?? [])).flat();
}
