import {expect, it} from '@jest/globals';
import {startTestRedis} from '../support/redis-server.js';
import {startService} from '../support/service.js';
import {make, randomName} from './samples.js';

it('regression: standups for several teams, with whatever number of blockers in each, share a few scripts in Redis', async () => {
  const redis = await startTestRedis({appendfsync: 'no'});
  const service = await startService({redisUrl: redis.url, env: {ROLES: 'web'}});
  try {
    const workspace = await service.addWorkspace();
    const teams: string[] = [];
    for (const team of ['a', 'b', 'c']) {
      const questions = [1, 2].map((i) => {
        const key = `${team}${i}`;
        return {key, label: `What stops you, ${key}?`, type: 'text', raises_blocker: true};
      });
      teams.push((await make(workspace, '/v1/teams', {slug: randomName(), questions})).id);
    }
    let raised = 0;
    const post = async (...counts: number[]): Promise<void> => {
      const answers = ['a', 'b', 'c'].flatMap((team, i) =>
        [1, 2]
          .slice(0, counts[i])
          .map((one) => ({question: `${team}${one}`, value: `Stopped ${(raised += 1)}.`})),
      );
      const body = {teams, update: 'Going on.', answers};
      const {status, text} = await workspace.request('POST', '/v1/standups', {body});
      if (status !== 201) throw new Error(text);
    };
    const countScripts = async (): Promise<number> => {
      const info = await service.core.store.connection.call<string>(performance.now() + 5_000, [
        'INFO',
        'memory',
      ]);
      return Number(/number_of_cached_scripts:(\d+)/.exec(info)?.[1]);
    };
    await post(2, 2, 2);
    const before = await countScripts();
    for (const a of [0, 1, 2]) for (const b of [0, 1, 2]) for (const c of [0, 1, 2]) await post(a, b, c);
    expect((await countScripts()) - before).toBeLessThan(6);
    const blockers = await workspace.request('GET', '/v1/blockers?limit=100');
    expect(blockers.body.data).toHaveLength(raised);
  } finally {
    await service.close();
    await redis.stop();
  }
});
