import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';
import {
  addWebhook,
  createCleanUps,
  deliveriesOf,
  type JobWebhook,
  makeDue,
  postStandups,
  newDeadline,
} from './stage.js';

const cleanUps = createCleanUps();
let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;
let hook: JobWebhook;

beforeEach(async () => {
  service = await startService();
  cleanUps.add(() => service.close());
  receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
  workspace = await service.addWorkspace();
  hook = await addWebhook(workspace, receiver);
});

afterEach(() => cleanUps.run());

const get = async (path: string): Promise<Json> => (await workspace.request('GET', path)).body;

/** Returns the health of the webhook once `attempts` attempts have been counted. */
const healthAfter = (attempts: number): Promise<Json> =>
  until(
    async () => {
      const health = await get(`/v1/webhooks/${hook.id}/health`);
      const {succeeded, failed} = health.attempts;
      return succeeded + failed === attempts ? health : undefined;
    },
    {what: `${attempts} attempts are counted`},
  );

it('attempts are counted and timed in the health of their webhook', async () => {
  await postStandups(workspace, 3);
  const {attempts, backlog, breaker, failing_since: failing} = await healthAfter(3);
  expect(attempts).toMatchObject({succeeded: 3, failed: 0, success_rate: 1});
  expect(attempts.p95_ms).toBeGreaterThanOrEqual(attempts.p50_ms);
  const slowest = Math.max(
    ...(await deliveriesOf(workspace, hook)).map(({last_attempt: last}) => last.duration_ms),
  );
  expect(attempts.p95_ms).toBeGreaterThanOrEqual(Math.floor(slowest * 0.9));
  expect(attempts.p95_ms).toBeLessThanOrEqual(Math.ceil(slowest * 1.1));
  expect(backlog).toEqual({pending: 0, in_flight: 0, behind: 0, oldest_age_ms: null, next_attempt_at: null});
  expect([breaker.state, failing]).toEqual(['closed', null]);
});

it('the health of a webhook shows a failing receiver, its breaker, the probe and the recovery', async () => {
  receiver.respondWith(500);
  await postStandups(workspace, 5);
  const ill = await healthAfter(5);
  expect(ill).toMatchObject({
    attempts: {failed: 5, success_rate: 0},
    backlog: {pending: 5, in_flight: 0},
    breaker: {state: 'open', opened_at: expect.any(String), next_probe_at: expect.any(String)},
    failing_since: expect.any(String),
    consecutive_failures: 5,
    same_failures: 5,
    last_attempt: {error: 'status', status: 500, at: expect.any(String)},
  });
  expect(ill.hours.at(-1)).toMatchObject({succeeded: 0, failed: 5, errors: {status: 5}});
  expect(ill.backlog.next_attempt_at >= ill.breaker.next_probe_at).toBe(true);
  expect(ill.backlog.oldest_age_ms).toBeGreaterThan(0);

  // Makes the probe due at once.
  receiver.respondWith(204);
  const state = workspaceKeys(workspace.id).webhookState(hook.suffix);
  await service.core.store.connection.call(newDeadline(), ['HSET', state, 'probe', '1']);
  await makeDue(service, workspace, hook);
  const well = await healthAfter(10);
  expect(well).toMatchObject({
    attempts: {succeeded: 5, failed: 5, success_rate: 0.5},
    backlog: {pending: 0, oldest_age_ms: null, next_attempt_at: null},
    failing_since: null,
    consecutive_failures: 0,
    same_failures: 0,
    last_attempt: {error: null, status: 204},
  });
  const attempts = await Promise.all(
    (await deliveriesOf(workspace, hook)).map(({id}) => get(`/v1/deliveries/${id}/attempts`)),
  );
  const probes = attempts.flatMap(({data}) => data.filter(({probe}: Json) => probe));
  expect(probes).toMatchObject([{number: 2, status: 204, error: null}]);
});

it('the health of a webhook counts consecutive failures of the same kind', async () => {
  hook = await addWebhook(workspace, receiver, {retry_schedule: [3_600]});
  receiver.respondWith(500);
  await postStandups(workspace, 2);
  expect((await healthAfter(2)).same_failures).toBe(2);
  receiver.respondWith(503);
  await postStandups(workspace, 2);
  const {consecutive_failures: all, same_failures: alike, hours} = await healthAfter(4);
  expect([all, alike, hours.at(-1).errors]).toEqual([4, 2, {status: 4}]);
});
