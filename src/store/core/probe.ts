import {type RedisConnection, script} from './connection.js';
import {globalKeys} from './keys.js';
import {explainStoreError} from './store-errors.js';

/**
 * `full`: takes no new content; `read-only`: takes no writes (a replica, a full disk); `lost`: has other data
 * than at the start, or none.
 */
export type StoreState = 'ok' | 'full' | 'read-only' | 'lost' | 'unreachable';

export interface StoreReport {
  readonly state: StoreState;
  /** The cause as a sentence for the operator, without any address; undefined when all is well. */
  readonly detail?: string | undefined;
  /** Unknown counts as true, here and below. */
  readonly hasWorkspace: boolean;
  /** Whether any process looks for background work. */
  readonly hasWorker: boolean;
}

/** How long one answer is reused: anyone may ask, as often as they like. */
const goodForMs = 1_000;

const lostDetail = 'Redis holds other data than at the start: restore it, then start the service again.';

/**
 * Tries a write that only this server's memory ever holds. With a `#!lua` line Redis would refuse the whole
 * script on a full or read-only store. KEYS: generation, workspaces, probe, scheduler.
 */
const probeScript = script(`
redis.set_repl(redis.REPL_NONE)
local written = redis.pcall('SET', KEYS[3], '1', 'PX', 1000)
return {redis.call('GET', KEYS[1]), redis.call('SCARD', KEYS[2]), written.err or '', redis.call('EXISTS', KEYS[4])}`);

/** Checks the state of the store. `generation`: that of the data at the start. */
export function createStoreProbe(
  {run, noteRefusal}: Pick<RedisConnection, 'run' | 'noteRefusal'>,
  generation: string,
): (deadline: number) => Promise<StoreReport> {
  const keys = [globalKeys.generation(), globalKeys.workspaces(), globalKeys.probe(), globalKeys.scheduler()];
  let last: Promise<StoreReport> | undefined;
  let goodUntil = 0;

  async function probeStore(deadline: number): Promise<StoreReport> {
    try {
      const [found, count, refusal, schedulers] = await run<[string | null, number, string, number]>(
        deadline,
        probeScript,
        keys,
        [],
      );
      noteRefusal(refusal);
      const state = found === generation ? stateAfterRefusal(refusal) : 'lost';
      const detail = state === 'lost' ? lostDetail : explainStoreError(new Error(refusal));
      return {state, detail, hasWorkspace: state === 'lost' || count > 0, hasWorker: schedulers > 0};
    } catch (error) {
      const detail = explainStoreError(error) ?? 'Redis does not answer.';
      return {state: 'unreachable', detail, hasWorkspace: true, hasWorker: true};
    }
  }

  return (deadline) => {
    const now = performance.now();
    if (last === undefined || now >= goodUntil) {
      goodUntil = Number.POSITIVE_INFINITY;
      last = probeStore(deadline).finally(() => (goodUntil = performance.now() + goodForMs));
    }
    return last;
  };
}

function stateAfterRefusal(refusal: string): StoreState {
  if (refusal === '') return 'ok';
  return refusal.startsWith('OOM') ? 'full' : 'read-only';
}
