import {afterEach, expect, it} from '@jest/globals';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {startService, type TestWorkspace} from '../support/service.js';
import {type ServiceProcess, startServiceProcess} from '../support/service-process.js';
import {botToken, signingSecret} from '../support/slack-harness.js';
import {type Inboxes, startInboxes} from '../support/slack-inboxes.js';
import {startTestStore, type TestStore} from '../support/test-store.js';
import {until} from '../support/until.js';
import {report} from './audit.js';
import {rounds} from './stage.js';

/**
 * Number of people to remind (a multiple of 50), Slack's delay for each call (ms), and number of deliveries
 * to measure before and during the reminders.
 */
const [people, delayMs, samples] = rounds > 0 ? [1_500, 8_000, 200] : [650, 4_000, 30];

const madeAtOnce = 50;

const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (let close = closings.pop(); close !== undefined; close = closings.pop()) await close();
});

interface SlowSlackStage {
  readonly service: ServiceProcess;
  readonly slack: Inboxes;
  readonly receiver: Receiver;
  /** Receives the reminder events of both workspaces. */
  readonly reminders: Receiver;
  /** A workspace in Slack, with a team of many people. */
  readonly crowd: TestWorkspace;
  /** A workspace without Slack, whose standups are delivered to the receiver. */
  readonly alone: TestWorkspace;
}

/** Starts one process of the service, as `npm start` does, with two workspaces. */
async function setStage(): Promise<SlowSlackStage> {
  const [slack, receiver, reminders] = await Promise.all([startInboxes(), startReceiver(), startReceiver()]);
  const store = await startTestStore({shared: true});
  closings.push(
    () => store.stop(),
    () => slack.close(),
    () => receiver.close(),
    () => reminders.close(),
  );
  const [crowd, alone] = await prepare(store, receiver, reminders);
  const service = await startServiceProcess({
    redisUrl: store.url,
    env: {
      ...store.env,
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: `${slack.url}/api/`,
      SLACK_WORKSPACE: crowd.id,
    },
  });
  closings.push(() => service.kill());
  return {service, slack, receiver, reminders, crowd, alone};
}

async function prepare(
  {url, env}: TestStore,
  receiver: Receiver,
  reminders: Receiver,
): Promise<[TestWorkspace, TestWorkspace]> {
  const service = await startService({redisUrl: url, env: {...env, ROLES: 'web'}});
  try {
    const [crowd, alone] = [await service.addWorkspace(), await service.addWorkspace()];
    const {members, teams, teamMembers} = service.core.services;
    await service.core.store.events.addConsumer(crowd.id, 'slack', performance.now() + 5_000);
    for (let i = 0; i < people; i += madeAtOnce) {
      const some = Array.from({length: madeAtOnce}, (_, k) => i + k);
      await Promise.all(some.map((number) => addPerson(number)));
    }
    async function addPerson(number: number): Promise<void> {
      const input = {name: `Person ${number}`, slack_user_id: `U${String(number).padStart(8, '0')}`};
      const {id = ''} = await members.createMember(crowd.operator(), input);
      await teamMembers.setTeamMember(crowd.operator(), 'platform', id, 'member');
    }
    for (const workspace of [crowd, alone]) {
      await teams.createTeam(workspace.operator(), {slug: 'small'});
      const {id = ''} = await members.createMember(workspace.operator(), {name: 'Somebody'});
      await teamMembers.setTeamMember(workspace.operator(), 'small', id, 'member');
      await workspace.request('POST', '/v1/webhooks', {body: {url: reminders.url, events: ['run.reminded']}});
    }
    await alone.request('POST', '/v1/webhooks', {body: {url: receiver.url, events: ['standup.created']}});
    return [crowd, alone];
  } finally {
    await service.close();
  }
}

it('regression: a slow Slack delays no webhooks or runs of any workspace, and every member still gets one message', async () => {
  const {service, slack, receiver, reminders, crowd, alone} = await setStage();
  const messageCounts = new Map<string, number>();
  slack.onMessage = (user) => void messageCounts.set(user, (messageCounts.get(user) ?? 0) + 1);
  const send = async ({token}: TestWorkspace, method: string, path: string, body?: object) => {
    const reply = await fetch(`${service.url}${path}`, {
      method,
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
      ...(body && {body: JSON.stringify(body)}),
    });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return reply.json() as Promise<Record<string, unknown>>;
  };

  async function waits(count = samples): Promise<number[]> {
    const all: number[] = [];
    for (let i = 0; i < count; i++) {
      const [before, from] = [receiver.received.length, performance.now()];
      await send(alone, 'POST', '/v1/standups', {team: 'platform', update: `Update ${i}`});
      await receiver.waitFor(before + 1, 30_000);
      all.push(performance.now() - from);
    }
    return all.toSorted((a, b) => a - b);
  }

  /** Measures the time from opening a run of another team until its reminder event arrives. */
  async function remind(workspace: TestWorkspace): Promise<number> {
    const from = performance.now();
    const {id} = await send(workspace, 'POST', '/v1/teams/small/runs', {minutes: 600});
    await until(() => reminders.received.some(({body}) => body.includes(String(id))), {
      what: 'the event of the reminder arrives',
      withinMs: 30_000,
    });
    return performance.now() - from;
  }

  await waits(5);
  const before = await waits();
  slack.delayMs = delayMs;
  // Opening reminds all members, so a reminder requested by hand would be a second one.
  await send(crowd, 'POST', '/v1/teams/platform/runs', {minutes: 600});
  // Recording so many reminders takes some processor time, even with a fast Slack.
  await until(() => notedIn(reminders) === people, {what: 'every reminder is noted', withinMs: 60_000});
  await until(() => slack.waiting() >= 10, {what: 'Slack is at work on as many as may be'});
  const meanwhile = await waits();
  const reminded = [await remind(crowd), await remind(alone)];
  expect(slack.waiting()).toBeGreaterThan(0);
  expect(messageCounts.size).toBeLessThan(people);

  slack.delayMs = 0;
  await until(() => messageCounts.size === people, {what: 'everybody is reminded', withinMs: 120_000});
  report(`Slack takes ${delayMs} ms`, {
    people,
    'deliveries before, median ms': at(before, 0.5),
    'slowest ms': at(before, 1),
    'meanwhile, median ms': at(meanwhile, 0.5),
    'slowest meanwhile ms': at(meanwhile, 1),
    'reminders of other teams reported after ms': reminded.map(Math.round).join(' and '),
  });
  expect([...messageCounts.values()].filter((times) => times !== 1)).toEqual([]);
  // Without separate slots the deliveries would wait for minutes behind so many messages. A busy machine
  // doubles their time.
  expect(at(meanwhile, 0.5)).toBeLessThan(2 * at(before, 0.5) + delayMs / 8);
  expect(at(meanwhile, 1)).toBeLessThan(2 * at(before, 1) + delayMs);
  expect(Math.max(...reminded)).toBeLessThan(2 * delayMs);
}, 300_000);

/** Counts the people in the reminder events that have arrived. */
function notedIn({received}: Receiver): number {
  const events = received.map(
    ({body}) => JSON.parse(body.toString()) as {data: {reminder: {members: string[]}}},
  );
  return events.reduce((count, {data}) => count + data.reminder.members.length, 0);
}

function at(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}
