import {type ClusterReport, slotCount} from '../../domain/core/cluster-report.js';
import {nodeMs, type RedisConnection, type RedisNode} from './connection.js';
import {readInfoField, readServerSetting} from './server-check.js';

/** Creates the report on the slots and settings of a cluster. It is undefined for another store. */
export function createClusterReports({kind, nodes}: Pick<RedisConnection, 'kind' | 'nodes'>) {
  async function readMaster({call}: RedisNode, deadline: number) {
    const [info, coverage, timeout] = await Promise.all([
      call<string>(deadline, ['CLUSTER', 'INFO']),
      readServerSetting(call, 'cluster-require-full-coverage', deadline),
      readServerSetting(call, 'cluster-node-timeout', deadline),
    ]);
    return {served: Number(readInfoField(info, 'cluster_slots_ok')), coverage, timeout};
  }

  return async (deadline: number): Promise<ClusterReport | undefined> => {
    if (kind !== 'cluster') return undefined;
    const until = Math.min(deadline, performance.now() + nodeMs);
    const read = await Promise.all(
      (await nodes('masters', deadline)).map((node) => readMaster(node, until).catch(() => undefined)),
    );
    const found = read.filter((one) => one !== undefined);
    const coverages = found.flatMap(({coverage}) => coverage ?? []);
    const timeouts = found.flatMap(({timeout}) => (timeout === undefined ? [] : [Number(timeout)]));
    return {
      unserved: slotCount - Math.min(slotCount, ...found.map(({served}) => served)),
      needsFullCoverage: coverages.length === 0 ? undefined : coverages.includes('yes'),
      nodeTimeoutMs: timeouts.length === 0 ? undefined : Math.max(...timeouts),
    };
  };
}
