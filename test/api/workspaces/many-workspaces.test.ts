import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {isReadOnly} from '../../../src/api/http/route.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {watchRedis} from '../../support/watch-redis.js';
import {newDeadline} from '../../store/open-test-store.js';
import {addFixtures, routes, sampleOf} from '../samples.js';

let service: TestService;
let receiver: Receiver;
let workspace: TestWorkspace;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({
    env: {
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_SIGNING_SECRET: 'shh',
      SLACK_API_URL: 'http://127.0.0.1:1/api/',
    },
  });
  workspace = await service.addWorkspace();
  // So many that no list of a few is read instead.
  for (let i = 0; i < 12; i++) await service.core.services.workspaces.createWorkspace(`w${i}`, newDeadline());
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

/**
 * Commands that read all workspaces. The scheduler reads the set of workspaces in parts, by another command.
 */
const listing =
  /^(?:SMEMBERS|HVALS|HKEYS|HGETALL|HSCAN) \{global\}:(?:workspaces|workspace-slugs|slack-workspaces)$/;

it('no operation of the API reads a list of all workspaces, not even with one Slack token', async () => {
  const fixtures = await addFixtures(workspace, receiver.url);
  const found: string[] = [];
  for (const route of routes.toSorted((a, b) => Number(isReadOnly(b)) - Number(isReadOnly(a)))) {
    const {path, body, token} = sampleOf(route, fixtures);
    const commands = await watchRedis(service.redisUrl, () =>
      workspace.request(route.method, path, {body, ...(token && {token})}),
    );
    expect(commands.length).toBeGreaterThan(0);
    found.push(
      ...commands.filter((one) => listing.test(one)).map((command) => `${route.operation}: ${command}`),
    );
  }
  expect(found).toEqual([]);
});

it('among very many workspaces a command finds the one that it names, and must name one', async () => {
  const {workspaces} = service.core.services;
  const named = await workspaces.chooseWorkspace('W3', newDeadline());
  expect(named.slug).toBe('w3');
  expect(await workspaces.chooseWorkspace(named.id, newDeadline())).toEqual(named);
  await expect(workspaces.chooseWorkspace(undefined, newDeadline())).rejects.toThrow(
    'There are several workspaces: say which with --workspace.',
  );
  expect(await workspaces.listFewWorkspaces(newDeadline())).toBeUndefined();
  expect(await workspaces.countWorkspaces(newDeadline())).toBe(13);
});
