import type {RedisConnection, RedisNode} from './connection.js';

type Rewrite = 'begun' | 'busy' | 'none';

/** The file in which Redis logs every change. It still contains deleted data until it is rewritten. */
export function createAppendOnlyFile({nodes}: Pick<RedisConnection, 'nodes'>) {
  return {
    /**
     * Starts to rewrite the file from the current data, on every server: that of a replica contains what was
     * deleted, too. `busy`: a server rewrites it already, so none has started; ask again later. `none`: no
     * server has such a file, or allows the command.
     */
    async rewrite(deadline: number): Promise<Rewrite> {
      const all = await nodes('all', deadline);
      const states = await Promise.all(all.map((node) => tryOn(node, () => findState(node, deadline))));
      if (states.includes('busy')) return 'busy';
      const idle = all.filter((_, i) => states[i] === 'idle');
      const begun = await Promise.all(idle.map((node) => tryOn(node, () => beginOn(node, deadline))));
      if (begun.includes('busy')) return 'busy';
      return [...states, ...begun].includes('begun') ? 'begun' : 'none';
    },
  };
}

async function findState({call}: RedisNode, deadline: number): Promise<Rewrite | 'idle'> {
  const info = await call<string>(deadline, ['INFO', 'persistence']);
  if (!/^aof_enabled:1/m.test(info)) return 'none';
  // A rewrite is already scheduled, and will start after this.
  if (/^aof_rewrite_scheduled:1/m.test(info)) return 'begun';
  return /^aof_rewrite_in_progress:1/m.test(info) ? 'busy' : 'idle';
}

async function beginOn({call}: RedisNode, deadline: number): Promise<Rewrite> {
  await call(deadline, ['BGREWRITEAOF']);
  return 'begun';
}

async function tryOn<T>({isMaster}: RedisNode, ask: () => Promise<T>): Promise<T | Rewrite> {
  try {
    return await ask();
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (/already in progress/.test(message)) return 'busy';
    // Hosted Redis servers rewrite the file themselves and refuse the command. A replica may be out of reach.
    if (!isMaster || /unknown command|NOPERM|not allowed|disabled/i.test(message)) return 'none';
    throw error;
  }
}
