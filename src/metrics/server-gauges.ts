import {Counter, Gauge, type Registry} from 'prom-client';
import type {StoreServers} from '../domain/core/server-report.js';

/** Creates the gauges of the servers of the store. */
export function createServerGauges(registers: Registry[]) {
  const gauge = (name: string, help: string) => new Gauge({name, help, labelNames: ['server'], registers});
  const up = gauge('standup_store_server_up', 'Whether this Redis server of the store answered this scrape.');
  const lag = gauge(
    'standup_store_replica_lag_bytes',
    "The bytes of its master's changes that this replica has not applied.",
  );
  const skew = gauge(
    'standup_store_clock_skew_seconds',
    'By how much the clock of this Redis server is ahead of that of the first master.',
  );
  const broken = new Counter({
    name: 'standup_store_broken_scripts_total',
    help: 'Scripts of this process that stopped half-way, because their keys moved to another node. The log names them.',
    registers,
  });
  return {
    async update(read: () => Promise<StoreServers>): Promise<void> {
      const found = await read().catch(() => undefined);
      for (const stale of [up, lag, skew]) stale.reset();
      if (found === undefined) return;
      broken.reset();
      broken.inc(found.brokenScripts);
      for (const {name: server, found: one} of found.servers) {
        up.set({server}, one === undefined ? 0 : 1);
        if (one === undefined) continue;
        skew.set({server}, one.skewMs / 1_000);
        if (one.lagBytes !== undefined) lag.set({server}, one.lagBytes);
      }
    },
  };
}
