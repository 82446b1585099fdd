import type {StoreState} from '../../domain/core/store-state.js';
import type {RedisConnection} from './connection.js';
import {probeStoreScript} from './compiled/lua.js';
import {globalKeys} from './keys.js';
import {explainStoreError} from './store-errors.js';

export interface StoreReport {
  readonly state: StoreState;
  /** The cause, as a sentence for the operator without any address; undefined when all is well. */
  readonly detail?: string | undefined;
  /** True if there is a workspace, or if this is unknown. */
  readonly hasWorkspace: boolean;
  /** True if a process does background work, or if this is unknown. */
  readonly hasWorker: boolean;
}

/** The time (ms) for which an answer is reused, so that anybody may ask without a read of the store. */
const goodForMs = 1_000;

const lostDetail = 'Redis holds other data than at the start: restore it, then start the service again.';

/** Creates the check of the store. `generation`: the id of the data at the start. */
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
        probeStoreScript,
        keys,
        [],
      );
      noteRefusal(refusal);
      const state = found === generation ? findStateAfterRefusal(refusal) : 'lost';
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

function findStateAfterRefusal(refusal: string): StoreState {
  if (refusal === '') return 'ok';
  return refusal.startsWith('OOM') ? 'full' : 'read-only';
}
