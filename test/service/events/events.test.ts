import {createEventSight} from '../../../src/service/events/event-sight.js';
import {createEventTeams} from '../../../src/service/events/event-teams.js';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {createEvents} from '../../../src/service/events/events.js';
import type {RedisCommand, RedisConnection} from '../../../src/store/core/connection.js';
import {createEventLog} from '../../../src/store/events/event-log.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {createTestContext} from '../../support/service-context.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}});
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

it('regression: a list of events fails with cursor_expired, and skips none, if the log drops events during the read', async () => {
  const {store} = service.core;
  for (let i = 0; i < 12; i++) await workspace.addToken();
  const entries = await store.events.listAfter(workspace.id, 0, 100, performance.now() + 5_000);
  const position = entries[4];
  const log = workspaceKeys(workspace.id).events();
  // Trims the log just before the page is read, after all earlier checks.
  const call = (async (deadline: number, args: RedisCommand) => {
    if (args[0] === 'XRANGE' && args[2] !== '-')
      await sendToRedis(service.redisUrl, [['XTRIM', log, 'MINID', '9-0']]);
    return store.connection.call(deadline, args);
  }) as RedisConnection['call'];
  const context = createTestContext(service.core, {
    events: createEventLog({...store.connection, call}, store.records),
  });
  const sight = createEventSight(context, {findEventTeams: createEventTeams(context)});
  const events = createEvents(context, {sight});
  const page = events.listEvents({...workspace.operator()}, {past: position, limit: 5});
  await expect(page).rejects.toMatchObject({code: 'cursor_expired'});
});
