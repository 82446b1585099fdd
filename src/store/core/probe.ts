import type {StoreState} from '../../domain/core/store-state.js';
import type {RedisConnection} from './connection.js';
import {probeStoreScript} from './compiled/lua.js';
import {globalKeys} from './keys.js';
import {explainStoreError} from './start-causes.js';

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

/** The time (ms) for a master of a cluster to answer. A probe of a balancer waits about a second. */
const masterMs = 500;

const degradedDetail = 'A master of the cluster does not answer: its workspaces wait for a new one.';

const lostDetail = 'Redis holds other data than at the start: restore it, then start the service again.';

/** Creates the check of the store. `generation`: the id of the data at the start. */
export function createStoreProbe(
  {run, nodes, noteRefusal}: Pick<RedisConnection, 'run' | 'nodes' | 'noteRefusal'>,
  generation: string,
): (deadline: number) => Promise<StoreReport> {
  const keys = [globalKeys.generation(), globalKeys.workspaces(), globalKeys.probe(), globalKeys.scheduler()];
  let last: Promise<StoreReport> | undefined;
  let goodUntil = 0;

  async function probeStore(deadline: number): Promise<StoreReport> {
    const [report, answers] = await Promise.all([probeGlobalNode(deadline), askMasters(deadline)]);
    const serves = report.state === 'ok' || report.state === 'full';
    const isWhole = answers.every(Boolean) && serves;
    if (answers.length < 2 || isWhole || report.state === 'lost' || !answers.includes(true)) return report;
    return {...report, state: 'degraded', detail: report.detail ?? degradedDetail};
  }

  /** Asks each master of a cluster whether it answers. A single server is asked by its own check. */
  async function askMasters(deadline: number): Promise<boolean[]> {
    const masters = await nodes('masters', deadline);
    if (masters.length < 2) return [];
    return Promise.all(
      masters.map(({call}) =>
        call(Math.min(deadline, performance.now() + masterMs), ['PING']).then(
          () => true,
          () => false,
        ),
      ),
    );
  }

  /** Checks the node that has the keys of no workspace. */
  async function probeGlobalNode(deadline: number): Promise<StoreReport> {
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
