import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';
import {
  addBacklog,
  addWebhook,
  createCleanUps,
  createPerformer,
  fanOutOnce,
  type JobWebhook,
  postStandups,
  newDeadline,
} from './stage.js';

const cleanUps = createCleanUps();
let service: TestService;
/** A receiver at one address that hangs, except for paths that end with `/healthy`. */
let shared: Receiver;

beforeEach(async () => {
  service = await startService({env: {ROLES: 'web'}});
  cleanUps.add(() => service.close());
  shared = await startReceiver();
  shared.respondWith(({path}) => (isHealthy(path) ? 204 : {failure: 'hang'}));
  cleanUps.add(() => shared.close());
});

afterEach(() => cleanUps.run());

const isHealthy = (path: string): boolean => path.endsWith('/healthy');
const hangs = () => shared.received.filter(({path}) => !isHealthy(path));
const answered = () => shared.received.filter(({path}) => isHealthy(path));

it('beyond a limit hanging webhooks get one request each, and a webhook of another workspace gets all of its deliveries', async () => {
  const {deliver, close} = createPerformer(service);
  cleanUps.add(close);
  const slice = (workspace: TestWorkspace, {suffix}: JobWebhook) =>
    deliver.perform({
      workspace: workspace.id,
      work: {kind: 'deliver', webhook: suffix},
      until: newDeadline(),
      signal: new AbortController().signal,
    });
  const {workspace, hooks} = await addBacklog(service, shared, 20, 16);
  for (const hook of hooks) await slice(workspace, hook);
  // The first 16 webhooks send 16 requests each, and the other four reach the limit of the process. This must
  // happen before the first request times out, which would make room.
  await until(() => hangs().length === 16 * 16 + 4);

  const other = await service.addWorkspace();
  const hook = await addWebhook(other, {url: `${shared.url}/healthy`});
  await postStandups(other, 17);
  await fanOutOnce(service, other);
  await slice(other, hook);
  await until(() => answered().length > 0);
  await until(async () => {
    await slice(other, hook);
    return answered().length === 17;
  });
  expect(hangs()).toHaveLength(16 * 16 + 4);
});
