import {readFileSync} from 'node:fs';
import {get, type IncomingMessage} from 'node:http';
import {expect, it} from '@jest/globals';
import {seedStandups} from '../../support/seed-standups.js';
import {startService} from '../../support/service.js';
import {startServiceProcess} from '../../support/service-process.js';

it('a process that exports 80 MB grows by less than that', async () => {
  const service = await startService();
  const workspace = await service.addWorkspace();
  const count = 20_000;
  await seedStandups(service.redisUrl, workspace, {count, update: (i) => `${i} `.padEnd(3_600, 'x')});
  const own = await startServiceProcess({
    redisUrl: service.redisUrl,
    // A small heap, so that memory shows the retained data and not garbage.
    env: {NODE_OPTIONS: '--max-semi-space-size=2 --max-old-space-size=80'},
  });
  try {
    const memory = () => {
      const status = readFileSync(`/proc/${own.current().pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
    };
    const before = memory();
    let most = before;
    let bytes = 0;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {authorization: `Bearer ${workspace.token}`};
      get(`${own.url}/v1/export`, {headers, agent: false}, resolve).once('error', reject);
    });
    for await (const chunk of answer) {
      bytes += (chunk as Buffer).length;
      most = Math.max(most, memory());
    }
    expect(bytes).toBeGreaterThan(75e6);
    // An export kept in memory would need more than its own size. A busy machine collects garbage later.
    expect(most - before).toBeLessThan(bytes * 0.7);
  } finally {
    await own.kill();
    await service.close();
  }
}, 120_000);
