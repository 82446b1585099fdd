import type {ServerReport} from '../../domain/core/server-report.js';
import {nodeMs, parseTime, type RedisConnection, type RedisNode} from './connection.js';
import {countOnlineReplicas, findDurability, readInfoField, readVersion} from './server-check.js';

/** Creates the report on every server of the store. A server that does not answer within a second is down. */
export function createServerReports({nodes, clock}: Pick<RedisConnection, 'nodes' | 'clock'>) {
  async function readServer({call}: RedisNode, deadline: number) {
    const [info, time] = await Promise.all([
      call<string>(deadline, ['INFO']),
      call<[string, string]>(deadline, ['TIME']),
    ]);
    return {
      info,
      skewMs: parseTime(time) - clock.now(),
      durability: await findDurability(call, info, deadline),
    };
  }

  return async (deadline: number): Promise<readonly ServerReport[]> => {
    const all = await nodes('checked', deadline);
    const until = Math.min(deadline, performance.now() + nodeMs);
    const read = await Promise.all(all.map((node) => readServer(node, until).catch(() => undefined)));
    const offsets = new Map(
      all.map(({name}, i) => [name, Number(readInfoField(read[i]?.info ?? '', 'master_repl_offset'))]),
    );
    return all.map(({name, isMaster}, i) => {
      const one = read[i];
      if (one === undefined) return {name, role: isMaster ? 'master' : 'replica', found: undefined};
      const field = (of: string) => readInfoField(one.info, of) ?? '';
      const ahead = offsets.get(`${field('master_host')}:${field('master_port')}`);
      return {
        name,
        role: isMaster ? 'master' : 'replica',
        found: {
          version: readVersion(one.info),
          durability: one.durability,
          lagBytes:
            isMaster || ahead === undefined
              ? undefined
              : Math.max(0, ahead - Number(field('slave_repl_offset'))),
          replicas: isMaster ? countOnlineReplicas(one.info) : undefined,
          skewMs: one.skewMs,
        },
      };
    });
  };
}
