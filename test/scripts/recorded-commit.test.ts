import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {createClient} from 'redis';
import {recordCommands} from '../../bench/monitor.js';
import {recordCommit} from '../../bench/recorded-commit.js';
import {createCommitTemplate} from '../../bench/template.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';

let service: TestService;
let workspace: TestWorkspace;
beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}});
  workspace = await service.addWorkspace();
});
afterAll(() => service.close());

/** The commands, and the length of each of their arguments. */
const shapesOf = (commands: readonly (readonly string[])[]) =>
  commands.map(([name, ...args]) => [name, ...args.map(({length}) => length)]);

it('the benchmark’s ceiling for POST sends and writes the same as the service does for a common post', async () => {
  const redis = createClient({url: service.redisUrl, RESP: 2});
  await redis.connect();
  try {
    const stage = {redis, keys: workspaceKeys(workspace.id), principal: workspace.principal};
    const recording = await recordCommit(stage, async () => {
      const body = {team: 'platform', update: 'It\'s done: \\ and "quotes".'};
      const headers = {'Idempotency-Key': crypto.randomUUID()};
      return (await workspace.request('POST', '/v1/standups', {body, headers})).text;
    });
    const names = recording.writes.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['SET', 'ZADD', 'XADD', 'HSET']));

    const sha = await redis.scriptLoad(recording.bareScript);
    const command = createCommitTemplate(recording, sha)(1);
    const {commands} = await recordCommands(redis, () => redis.sendCommand(command));

    const [sent] = commands.filter(({args}) => args.includes(sha));
    const reads = sent?.within.filter(([name]) => name === 'HGET');
    const writes = sent?.within.filter(([name]) => name !== 'HGET') ?? [];
    expect(shapesOf([command])).toEqual(
      shapesOf([['EVALSHA', sha, String(recording.keys.length), ...recording.keys, ...recording.args]]),
    );
    expect(shapesOf(writes)).toEqual(shapesOf(recording.writes));
    expect(reads).toHaveLength(1);
    expect(await redis.hGet(recording.head, 'sequence')).toBe(String(await redis.xLen(stage.keys.events())));
  } finally {
    redis.destroy();
  }
});
