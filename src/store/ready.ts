import {parseWork, type Work, workName} from '../domain/work.js';
import {type Connection, script} from './connection.js';
import {globalKeys, workspaceKeys} from './keys.js';

/** Work that someone must look at now, and how long it has been waiting for that (ms). */
export interface DueWork {
  readonly workspace: string;
  readonly work: Work;
  readonly overdueMs: number;
}

export interface Ready {
  /** Due work of all workspaces, oldest first, at most `perWorkspace` of each. */
  listDue(perWorkspace: number, deadline: number): Promise<DueWork[]>;
  /** Names the next time someone must look; undefined when there is nothing more to do. */
  settle(workspace: string, work: Work, nextAt: number | undefined, deadline: number): Promise<void>;
  /** True while this process may run the pump; holds for `leaseMs`. */
  holdPump(holder: string, leaseMs: number, deadline: number): Promise<boolean>;
}

const holdScript = script(`#!lua
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`);

export function createReady({call, run}: Pick<Connection, 'call' | 'run'>): Ready {
  async function listOf(workspace: string, now: number, limit: number, deadline: number): Promise<DueWork[]> {
    const range = ['-inf', String(now), 'BYSCORE', 'LIMIT', '0', String(limit), 'WITHSCORES'];
    const found = await call<string[]>(deadline, ['ZRANGE', workspaceKeys(workspace).ready(), ...range]);
    const due: DueWork[] = [];
    for (let i = 0; i < found.length; i += 2) {
      const work = parseWork(found[i] ?? '');
      if (work !== undefined) due.push({workspace, work, overdueMs: now - Number(found[i + 1])});
    }
    return due;
  }

  return {
    async listDue(perWorkspace, deadline) {
      const [workspaces, time] = await Promise.all([
        call<string[]>(deadline, ['SMEMBERS', globalKeys.workspaces()]),
        call<string[]>(deadline, ['TIME']),
      ]);
      const now = Number(time[0]) * 1_000 + Math.floor(Number(time[1]) / 1_000);
      const found = await Promise.all(workspaces.map((id) => listOf(id, now, perWorkspace, deadline)));
      return found.flat();
    },
    async settle(workspace, work, nextAt, deadline) {
      const ready = workspaceKeys(workspace).ready();
      const name = workName(work);
      await call(
        deadline,
        nextAt === undefined ? ['ZREM', ready, name] : ['ZADD', ready, String(nextAt), name],
      );
    },
    async holdPump(holder, leaseMs, deadline) {
      return (await run<number>(deadline, holdScript, [globalKeys.pump()], [holder, String(leaseMs)])) === 1;
    },
  };
}
