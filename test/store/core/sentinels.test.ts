import {afterEach, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {openConnection} from '../../../src/store/core/connection.js';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';
import {findSentinelProgram} from '../../support/store-kinds.js';
import {until} from '../../support/until.js';

const closings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (let next = closings.pop(); next !== undefined; next = closings.pop()) await next();
});

const password = 'a-password-of-both';

async function start(settings: readonly string[] = [], bin?: string): Promise<TestRedis> {
  const started = await startTestRedis({password, settings, ...(bin !== undefined && {bin})});
  closings.push(() => started.stop());
  return started;
}

const portOf = ({url}: TestRedis) => new URL(url).port;

/** Starts Sentinels that never agree on a failover. Each names one of `masters` until it is told another. */
async function startSentinels(masters: readonly (readonly [master: TestRedis, epoch: number])[]) {
  const [first] = masters[0] ?? [];
  const bin = await findSentinelProgram(first?.dataDir ?? '');
  return Promise.all(
    masters.map(([master, epoch]) =>
      start(
        [
          `sentinel monitor m 127.0.0.1 ${portOf(master)} 3`,
          `sentinel auth-pass m ${password}`,
          `sentinel config-epoch m ${epoch}`,
        ],
        bin,
      ),
    ),
  );
}

async function open(sentinels: readonly TestRedis[]) {
  const hosts = sentinels.map((sentinel) => `127.0.0.1:${portOf(sentinel)}`).join(',');
  const connection = await openConnection({
    url: `redis+sentinel://:${password}@${hosts}/m`,
    sentinelPassword: password,
    tlsVerify: true,
    onError: () => undefined,
  });
  closings.push(() => connection.close());
  return connection;
}

const newDeadline = () => performance.now() + 1_000;

it('regression: a Sentinel that has not heard of a failover does not lead back to the former master', async () => {
  const [former, present] = [await start(), await start()];
  const connection = await open(
    await startSentinels([
      [former, 0],
      [present, 1],
      [former, 0],
    ]),
  );
  await connection.call(newDeadline(), ['SET', 'where', 'here']);
  expect(await sendToRedis(present.url, [['EXISTS', 'where']])).toEqual([1]);
});

it('regression: a master that is started again gets no write until a Sentinel names it', async () => {
  const master = await start();
  const sentinels = await startSentinels([[master, 0]]);
  const connection = await open(sentinels);
  const write = () =>
    connection.call(newDeadline(), ['SET', 'here', 'now']).then(
      () => true,
      () => false,
    );
  for (const sentinel of sentinels) sentinel.freeze();
  await master.kill();
  await until(async () => !(await write()), {what: 'the loss is noticed', everyMs: 5});
  await master.restart();
  const since = performance.now();
  while (performance.now() - since < 1_500) {
    expect(await write()).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const sentinel of sentinels) sentinel.thaw();
  await until(write, {what: 'the master that is named takes writes'});
});
