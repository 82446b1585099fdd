import type {RedisCommands} from './connection.js';

/** The file in which Redis logs every change. It still contains deleted data until it is rewritten. */
export function createAppendOnlyFile({call}: RedisCommands) {
  return {
    /**
     * Starts to rewrite the file from the current data. `busy`: another rewrite is running, so ask again
     * later. `none`: the server has no such file, or does not allow the command.
     */
    async rewrite(deadline: number): Promise<'begun' | 'busy' | 'none'> {
      try {
        const info = await call<string>(deadline, ['INFO', 'persistence']);
        if (!/^aof_enabled:1/m.test(info)) return 'none';
        // A rewrite is already scheduled, and will start after this.
        if (/^aof_rewrite_scheduled:1/m.test(info)) return 'begun';
        if (/^aof_rewrite_in_progress:1/m.test(info)) return 'busy';
        await call(deadline, ['BGREWRITEAOF']);
        return 'begun';
      } catch (error) {
        const message = error instanceof Error ? error.message : '';
        if (/already in progress/.test(message)) return 'busy';
        // Hosted Redis servers rewrite the file themselves and refuse the command.
        if (/unknown command|NOPERM|not allowed|disabled/i.test(message)) return 'none';
        throw error;
      }
    },
  };
}
