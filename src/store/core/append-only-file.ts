import type {Connection} from './connection.js';

/** The file into which Redis writes every change: it goes on holding what was erased until it is written anew. */
export interface AppendOnlyFile {
  /**
   * Begins to write it anew from what the store holds now. `busy`: one that began earlier is under way, so ask again; `none`: the server keeps
   * no such file, or lets nobody ask.
   */
  rewrite: (deadline: number) => Promise<'begun' | 'busy' | 'none'>;
}

export function createAppendOnlyFile({call}: Pick<Connection, 'call'>): AppendOnlyFile {
  return {
    async rewrite(deadline) {
      try {
        const info = await call<string>(deadline, ['INFO', 'persistence']);
        if (!/^aof_enabled:1/m.test(info)) return 'none';
        // One that is only planned will begin after this.
        if (/^aof_rewrite_scheduled:1/m.test(info)) return 'begun';
        if (/^aof_rewrite_in_progress:1/m.test(info)) return 'busy';
        await call(deadline, ['BGREWRITEAOF']);
        return 'begun';
      } catch (error) {
        const message = error instanceof Error ? error.message : '';
        if (/already in progress/.test(message)) return 'busy';
        // Hosted servers do this by themselves and refuse to be asked.
        if (/unknown command|NOPERM|not allowed|disabled/i.test(message)) return 'none';
        throw error;
      }
    },
  };
}
