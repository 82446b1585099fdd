import {createClient} from '@redis/client';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {isReadOnly} from '../../../src/api/http/route.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
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

/** Commands that read all members of a key. The scheduler's own read of the set, in parts, is no such command. */
const lists = /^(?:SMEMBERS|HVALS|HKEYS|HGETALL|HSCAN)$/i;
/** The keys with an entry for each workspace. */
const ofAll = /^\{global\}:(?:workspaces|workspace-slugs|slack-workspaces)$/;

/** Returns the commands of this service, also those of scripts, that list the workspaces during `work`. */
async function findListings(work: () => Promise<unknown>): Promise<string[]> {
  const database = new URL(service.redisUrl).pathname.slice(1);
  const watcher = createClient({url: service.redisUrl, RESP: 2});
  await watcher.connect();
  const found: string[] = [];
  try {
    await watcher.monitor((line) => {
      const [, from, name = '', key = ''] = /^[\d.]+ \[(\d+) [^\]]*\] "(\w+)" "([^"]*)"/.exec(line) ?? [];
      if (from === database && ofAll.test(key) && lists.test(name)) found.push(`${name} ${key}`);
    });
    await work();
    // Redis sends its lines in order, so that all earlier ones arrive before this one's answer is seen.
    await service.core.store.workspaces.list(newDeadline());
    while (found.at(-1) !== 'HVALS {global}:workspace-slugs') await new Promise(setImmediate);
    return found.slice(0, -1);
  } finally {
    watcher.destroy();
  }
}

it('no operation of the API reads a list of all workspaces, not even with one Slack token', async () => {
  const fixtures = await addFixtures(workspace, receiver.url);
  const found: string[] = [];
  for (const route of routes.toSorted((a, b) => Number(isReadOnly(b)) - Number(isReadOnly(a)))) {
    const {path, body, token} = sampleOf(route, fixtures);
    const listed = await findListings(() =>
      workspace.request(route.method, path, {body, ...(token && {token})}),
    );
    found.push(...listed.map((command) => `${route.operation}: ${command}`));
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
