import {recordAndClaimOne} from '../support/claims.js';
import {afterEach, beforeEach, describe, expect, it} from '@jest/globals';
import {createFanOutPerformer} from '../../src/jobs/fan-out.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {copyDatabase} from '../support/set-back.js';
import {
  addWebhook,
  createCleanUps,
  createPerformer,
  fanOutOnce,
  type JobWebhook,
  postStandups,
  newDeadline,
  createJobContext,
} from './stage.js';

const cleanUps = createCleanUps();
let service: TestService;
let twin: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;
let hook: JobWebhook;
let posted: string;

beforeEach(async () => {
  receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
  // Neither service does background work by itself. The test decides which one takes each step.
  service = await startService({env: {ROLES: 'web'}});
  cleanUps.add(() => service.close());
  twin = await startService({env: {ROLES: 'web'}, redisUrl: service.redisUrl});
  cleanUps.add(() => twin.close());
  workspace = await service.addWorkspace();
  hook = await addWebhook(workspace, receiver);
  await fanOutOnce(service, workspace);
});

afterEach(() => cleanUps.run());

/** Sends a request to the second process, which has none of the lost data in memory. */
const ofTwin = async (path: string, body: unknown) => {
  const answer = await sendRequest(twin.url, 'POST', path, {token: workspace.token, body});
  expect(answer.status).toBe(201);
  return answer.body;
};

const postByTwin = () => ofTwin('/v1/standups', {team: 'platform', update: 'Real.'});

/** Makes one process send the due deliveries, with the data that it has in memory. */
async function deliverOnce(by: TestService, {suffix}: Pick<JobWebhook, 'suffix'> = hook): Promise<void> {
  const {deliver, close} = createPerformer(by);
  const slice = {
    workspace: workspace.id,
    work: {kind: 'deliver', webhook: suffix},
    until: newDeadline(),
  } as const;
  await deliver.perform({...slice, signal: new AbortController().signal});
  await deliver.close();
  await close();
}

const deliveredEvents = ({received}: Receiver) =>
  received.map(({id, body}) => ({id, about: JSON.parse(body.toString()).data?.id}));

const newestEvent = async () => {
  const {body} = await workspace.request('GET', '/v1/events?limit=100');
  return body.data.at(-1);
};

describe('regression: a store that was restored to an earlier state', () => {
  it('sends a new event made by another process, and not the lost one with the same number', async () => {
    const setBack = await copyDatabase(service.redisUrl);
    await postStandups(workspace);
    await fanOutOnce(service, workspace);
    await setBack();
    const {id} = await postByTwin();
    await fanOutOnce(twin, workspace);
    await deliverOnce(service);
    expect(deliveredEvents(receiver)).toEqual([{id: (await newestEvent()).id, about: id}]);
  });

  it('delivers to a webhook created after the restore, and not to one that was lost', async () => {
    const lost = await startReceiver();
    const real = await startReceiver();
    cleanUps.add(() => lost.close());
    cleanUps.add(() => real.close());
    const setBack = await copyDatabase(service.redisUrl);
    const gone = await addWebhook(workspace, lost);
    await fanOutOnce(service, workspace);
    await setBack();
    const {id: made} = await ofTwin('/v1/webhooks', {url: real.url, events: ['standup.*']});
    const {id} = await postByTwin();
    await fanOutOnce(service, workspace);
    for (const suffix of [hook.suffix, gone.suffix, made.slice(-16)]) await deliverOnce(service, {suffix});
    expect(deliveredEvents(receiver)).toMatchObject([{about: id}]);
    expect(deliveredEvents(real)).toMatchObject([{about: id}]);
    expect(deliveredEvents(lost)).toEqual([]);
  });

  it.each([
    ['the log ends before them', 0],
    ['others have their numbers', 3],
  ])('fans out no event read before the restore, and every one that followed: %s', async (_, since) => {
    const {store} = service.core;
    const setBack = await copyDatabase(service.redisUrl);
    await postStandups(workspace, 3);
    let reads = 0;
    const listNext: typeof store.events.listNext = async (...args) => {
      const found = await store.events.listNext(...args);
      reads += 1;
      if (reads > 1) return found;
      await setBack();
      for (let i = 0; i < since; i++) await postByTwin();
      return found;
    };
    const context = createJobContext(service, {store: {...store, events: {...store.events, listNext}}});
    const fanOut = createFanOutPerformer(context, () => undefined);
    const slice = {workspace: workspace.id, work: {kind: 'fan-out'}, until: newDeadline()} as const;
    await fanOut({...slice, signal: new AbortController().signal});
    expect(reads).toBeGreaterThan(0);
    const head = workspaceKeys(workspace.id).head();
    const [cursor, sequence] = await store.connection.call<string[]>(newDeadline(), [
      'HMGET',
      head,
      'cursor:webhooks',
      'sequence',
    ]);
    expect(cursor).toBe(sequence);
    const {id} = await postByTwin();
    await fanOutOnce(service, workspace);
    await deliverOnce(service);
    const events = (await workspace.request('GET', '/v1/events?limit=100')).body.data.slice(-since - 1);
    expect(
      deliveredEvents(receiver)
        .map((one) => one.id)
        .toSorted(),
    ).toEqual(events.map((event: {id: string}) => event.id).toSorted());
    expect(deliveredEvents(receiver).map(({about}) => about)).toContain(id);
  });

  it('fans out the new event, and not a lost one of this process with the same number', async () => {
    await fanOutOnce(service, workspace);
    const setBack = await copyDatabase(service.redisUrl);
    await postStandups(workspace);
    await setBack();
    const {id} = await postByTwin();
    await fanOutOnce(service, workspace);
    await deliverOnce(service);
    expect(deliveredEvents(receiver)).toEqual([{id: (await newestEvent()).id, about: id}]);
  });

  it.each([
    ['no text', async () => undefined],
    [
      'the text of another event',
      async () => workspace.request('PATCH', `/v1/standups/${posted}`, {body: {update: 'Real.'}}),
    ],
  ])('does not send an event with the text of another one, if there is now %s', async (_, change) => {
    const {store} = service.core;
    posted = (await ofTwin('/v1/standups', {team: 'platform', update: 'Before.'})).id;
    await fanOutOnce(service, workspace);
    await deliverOnce(service);
    const setBack = await copyDatabase(service.redisUrl);
    await workspace.request('PATCH', `/v1/standups/${posted}`, {body: {update: 'Lost.'}});
    await fanOutOnce(service, workspace);
    const {recordAndClaim} = store.deliveries;
    const deliveries = {
      ...store.deliveries,
      // The store is restored after the claim and before the event is read.
      async recordAndClaim(...args: Parameters<typeof recordAndClaim>) {
        const claimed = await recordAndClaim(...args);
        if (claimed.some(({claims}) => claims.length > 0)) {
          await setBack();
          await change();
        }
        return claimed;
      },
    };
    const setBackMeanwhile = {...service, core: {...service.core, store: {...store, deliveries}}};
    await deliverOnce(setBackMeanwhile);
    expect(receiver.received).toHaveLength(1);
  });

  it('sends a delivery claimed before the restore with its own event, not with the new one of the same number', async () => {
    const {store} = service.core;
    const setBack = await copyDatabase(service.redisUrl);
    await postStandups(workspace);
    await fanOutOnce(service, workspace);
    const claimed = await recordAndClaimOne(store.deliveries, workspace.id, hook.suffix, {concurrency: 1});
    expect(claimed.claims).toHaveLength(1);
    const lost = await newestEvent();
    await setBack();
    await postByTwin();
    const kept = [[claimed]];
    const {recordAndClaim} = store.deliveries;
    const deliveries = {
      ...store.deliveries,
      recordAndClaim: async (...args: Parameters<typeof recordAndClaim>) =>
        kept.pop() ?? recordAndClaim(...args),
    };
    await deliverOnce({...service, core: {...service.core, store: {...store, deliveries}}});
    expect(deliveredEvents(receiver)).toEqual([{id: lost.id, about: lost.data.id}]);
  });
});
