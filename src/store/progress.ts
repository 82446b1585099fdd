import {lifetimes} from '../domain/limits.js';
import {type Work, workName} from '../domain/work.js';
import {callWhenFull, type Connection} from './connection.js';
import {workspaceKeys} from './keys.js';

/** How far long pieces of work have come, so that each turn goes on where the last one left off. */
export interface Progress {
  find(workspace: string, work: Work, deadline: number): Promise<number | undefined>;
  keep(workspace: string, work: Work, reached: number, deadline: number): Promise<void>;
  drop(workspace: string, work: Work, deadline: number): Promise<void>;
}

export function createProgress({call, run}: Pick<Connection, 'call' | 'run'>): Progress {
  const key = (workspace: string, work: Work) => workspaceKeys(workspace).progress(workName(work));
  return {
    async find(workspace, work, deadline) {
      const kept = await call<string | null>(deadline, ['GET', key(workspace, work)]);
      return kept === null ? undefined : Number(kept);
    },
    async keep(workspace, work, reached, deadline) {
      const lifetime = ['EX', String(lifetimes.events)] as const;
      await callWhenFull({run}, deadline, ['SET', key(workspace, work), String(reached), ...lifetime]);
    },
    async drop(workspace, work, deadline) {
      await call(deadline, ['DEL', key(workspace, work)]);
    },
  };
}
