import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {teams} from '../../demo/cast.js';
import {type PlayedDemo, playWeeks} from '../../demo/play.js';
import {startReceivers} from '../../demo/receivers.js';
import type {Call} from '../../src/domain/core/access.js';
import {operatorCall} from '../../src/service/workspaces/workspaces.js';
import {deep} from '../support/deep.js';
import {testRedisUrl} from '../support/redis-server.js';
import type {Json} from '../support/service.js';

const closings: (() => Promise<unknown>)[] = [];
let played: PlayedDemo;

beforeAll(async () => {
  played = await play(3);
}, 240_000);

afterAll(async () => {
  for (const close of closings.toReversed()) await close();
});

/** Creates the demonstration of two weeks up to a Tuesday at 10:30 in Berlin, with public holidays. */
async function play(seed: number): Promise<PlayedDemo> {
  const receivers = await startReceivers();
  closings.push(() => receivers.close());
  const done = await playWeeks({
    redisUrl: await testRedisUrl(),
    secretKey: 'a secret key for tests, 32 characters or more',
    seed,
    weeks: 2,
    endsAt: Date.parse('2035-05-08T08:31:00Z'),
    receivers,
  });
  closings.push(() => done.close());
  return done;
}

const services = () => played.running.core.services;
const call = ({workspace} = played): Call => operatorCall(workspace, performance.now() + 10_000);
const span = {since: '2035-04-24', until: '2035-05-08'};

async function countAll(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const {slug} of teams) {
    const {by_member: rows} = await services().findParticipation(call(), slug, span);
    for (const row of rows) {
      for (const [name, count] of Object.entries<Json>(row.counts))
        counts[name] = (counts[name] ?? 0) + count;
    }
  }
  return counts;
}

const parse = (row: unknown): Json => (typeof row === 'string' ? JSON.parse(row) : row);

async function listUpdates({workspace, running}: PlayedDemo): Promise<string[]> {
  const {standups} = running.core.services;
  const updates: string[] = [];
  for (let past: number | undefined; ; ) {
    const asked = operatorCall(workspace, performance.now() + 10_000);
    const {rows, next} = await standups.listStandups(asked, {limit: 100, past});
    updates.push(...rows.map(parse).map((one) => `${one.created_at} ${one.author.name}: ${one.update}`));
    if (next === undefined) return updates;
    past = next;
  }
}

it('the demonstration has posts in time, late and missing, skips, absences and public holidays', async () => {
  const counts = await countAll();
  expect(counts['posted']).toBeGreaterThan(100);
  const none = ['late', 'missed', 'skipped', 'away', 'holiday'].filter((name) => !counts[name]);
  expect(none).toEqual([]);
});

it('the demonstration has a team half-way through today’s standup', async () => {
  const {run, counts} = await services().findTeamDay(call(), 'platform', 'today');
  expect(run?.state).toBe('open');
  expect(counts.posted).toBeGreaterThan(1);
  expect(counts.posted).toBeLessThan(counts.expected);
});

it('the demonstration has open blockers from today and earlier, each once, and resolved ones', async () => {
  const {rows: open} = await services().blockers.listBlockers(call(), {state: 'open', limit: 100});
  const {rows: over} = await services().blockers.listBlockers(call(), {state: 'resolved', limit: 100});
  const ages = open
    .map(parse)
    .map(({created_at: at}) => (Date.parse('2035-05-08T08:31:00Z') - Date.parse(at)) / 86_400_000);
  expect(Math.max(...ages)).toBeGreaterThan(3);
  expect(Math.min(...ages)).toBeLessThan(2);
  expect(new Set(open.map(parse).map(({text}) => text)).size).toBe(open.length);
  expect(over.length).toBeGreaterThan(0);
});

it('the demonstration has one healthy webhook and one that fails, after an earlier outage and replay', async () => {
  const [healthy = '', failing = ''] = ['healthy', 'failing'].map((one) =>
    played.webhooks.get(one as 'healthy'),
  );
  const well = await services().webhookHealth.findHealth(call(), healthy);
  const ill = await services().webhookHealth.findHealth(call(), failing);
  expect([well.breaker.state, well.attempts.failed, ill.breaker.state]).toEqual(['closed', 0, 'open']);
  expect(well.attempts.succeeded).toBeGreaterThan(0);
  expect(ill.backlog.pending).toBeGreaterThan(3);
  const {replays} = await services().replays.listReplays(call(), failing, {limit: 10});
  expect(replays.map(({state, progress}) => [state, progress.failed])).toEqual([['completed', 0]]);
});

it('the demonstration has a company calendar, edited standups, and programs with tokens', async () => {
  const {rows} = await services().holidayCalendars.listCalendars(call(), {limit: 10});
  expect(rows).toHaveLength(1);
  expect(await services().tokens.listTokens(call())).toHaveLength(3);
});

if (deep) {
  it('the demonstration has the same content at the same times for the same seed', async () => {
    const [first, second] = [await listUpdates(played), await listUpdates(await play(3))];
    expect(first.length).toBeGreaterThan(100);
    expect(first).toEqual(second);
  }, 240_000);
}
