import {testRedisUrl} from './redis-server.js';
import {type ServiceOptions, startService, type TestService} from './service.js';
import {createTestClock, type TestClock} from './test-clock.js';

/** Two processes with one store and one clock. Only `service` does background work. */
export interface Twins {
  readonly clock: TestClock;
  readonly service: TestService;
  readonly twin: TestService;
  close(): Promise<void>;
}

/** Starts two processes. `start`: the time (ms) of their clock. `options` are those of `service`. */
export async function startTwins(start?: number, options: ServiceOptions = {}): Promise<Twins> {
  const redisUrl = await testRedisUrl();
  const clock = await createTestClock(redisUrl, start);
  const shared = {redisUrl, time: clock.time};
  const service = await startService({...options, ...shared});
  const twin = await startService({...shared, env: {ROLES: 'web'}});
  return {
    clock,
    service,
    twin,
    async close() {
      await twin.close();
      await service.close();
      await clock.close();
    },
  };
}
