import {afterEach, expect, it} from '@jest/globals';
import {randomInt} from 'node:crypto';
import {setTimeout as pause} from 'node:timers/promises';
import type {ServiceProcess} from '../support/service-process.js';
import {type Chance, createChance} from '../support/seeded-random.js';
import {until} from '../support/until.js';
import {report} from './audit.js';
import {drawPlan, type ExpectedRun, expectPrompts, expectRuns} from './schedules-plan.js';
import {type ScheduleStage, setScheduleStage} from './schedules-stage.js';

/** Few in `npm test`; otherwise of `npm run faults -- schedules --days N --kills N`. */
const days = Number(process.env['SCHEDULE_DAYS'] ?? 2);
const kills = Number(process.env['SCHEDULE_KILLS'] ?? 3);
const seed = Number(process.env['SCHEDULE_SEED'] ?? randomInt(2 ** 31));
const isWhole = days > 7;

const minute = 60_000;
/** A Sunday. Within 91 days of it clocks change in New York, Berlin, Sydney, Santiago and Cairo. */
const startAt = Date.parse('2027-02-21T12:00Z');
const startsOn = '2027-02-22';

let stage: ScheduleStage | undefined;

afterEach(() => stage?.close());

/** How the processes are struck at an instant. `outage`: both are dead for a while in which time goes on. */
type Blow = 'one' | 'mute' | 'hang' | 'outage';
const dead: Readonly<Record<Blow, number>> = {one: 1, mute: 2, hang: 2, outage: 2};

it(
  'prompts come once each and runs open and close once each, whichever of two processes is killed when',
  async () => {
    const chance = createChance(seed);
    const size = isWhole ? {teams: 50, people: 500} : {teams: 8, people: 24};
    const plan = drawPlan(chance, {...size, days, startsOn});
    const endAt = startAt + days * 24 * 60 * minute;
    const runs = expectRuns(plan, [startAt, endAt], chance);
    const instants = instantsOf(runs, endAt);
    const blows = drawBlows(chance, instants, runs);
    report('simulated time', {seed, days, kills, ...size, runs: runs.length, instants: instants.length});

    stage = await setScheduleStage(plan, startAt);
    const outages = await play(stage, chance, {runs, instants, blows});
    const prompts = expectPrompts(runs, endAt, outages);

    const seen = new Map<string, number>();
    for (const {user, date} of stage.sent) {
      seen.set(`${user} ${date}`, (seen.get(`${user} ${date}`) ?? 0) + 1);
    }
    const expected = new Map(prompts.map((prompt) => [`${prompt.person.user} ${prompt.date}`, prompt]));
    const late = stage.sent.map(({user, date, at}) => at - (expected.get(`${user} ${date}`)?.at ?? at));
    const told = countRuns(await stage.listEvents());
    report('prompts', {
      expected: expected.size,
      sent: stage.sent.length,
      missed: [...expected.keys()].filter((key) => !seen.has(key)).length,
      doubled: [...seen.values()].filter((times) => times > 1).length,
      unexpected: [...seen.keys()].filter((key) => !expected.has(key)).length,
      'latest (s)': Math.round(Math.max(0, ...late) / 1_000),
      'runs opened': told.get('run.opened')?.length ?? 0,
      'runs closed': told.get('run.closed')?.length ?? 0,
      kills: [...blows.values()].reduce((sum, blow) => sum + dead[blow], 0),
    });
    expect(Object.fromEntries([...seen].toSorted())).toEqual(
      Object.fromEntries([...expected.keys()].toSorted().map((key) => [key, 1])),
    );
    const named = (some: readonly ExpectedRun[]) =>
      some.map(({team, date}) => `${stage?.ids.get(team.slug)} ${date}`).toSorted();
    expect(told.get('run.opened')?.toSorted()).toEqual(named(runs));
    expect(told.get('run.closed')?.toSorted()).toEqual(named(runs.filter(({closes}) => closes <= endAt)));
    expect(told.get('run.missed')).toBeUndefined();
    expect(stage.slack.limitFaults).toEqual([]);
  },
  isWhole ? 3 * 3_600_000 : 90_000 + 60_000 * days,
);

/** When something is due, earliest first. */
function instantsOf(runs: readonly ExpectedRun[], endAt: number): number[] {
  const all = runs.flatMap(({opens, closes, parts}) => [
    opens,
    closes,
    ...parts.flatMap((part) => [part.opens, part.closes, ...part.reminders]),
  ]);
  const deferred = expectPrompts(runs, endAt, []).map(({at}) => at);
  return [...new Set([...all, ...deferred, endAt])].filter((ms) => ms <= endAt).toSorted((a, b) => a - b);
}

/** At which instants what is killed: most of them when people are reminded, the others at any. */
function drawBlows(
  chance: Chance,
  instants: readonly number[],
  runs: readonly ExpectedRun[],
): Map<number, Blow> {
  const reminders = new Set(runs.flatMap(({parts}) => parts.flatMap((part) => part.reminders)));
  const busy = chance.shuffle(instants.filter((ms) => reminders.has(ms)));
  const idle = chance.shuffle(instants.filter((ms) => !reminders.has(ms)));
  const blows = new Map<number, Blow>();
  const kinds: readonly Blow[] = ['one', 'mute', 'one', 'one', 'outage', 'one', 'one', 'hang', 'one', 'one'];
  for (let left = kills, i = 0; left > 0; i += 1) {
    const kind = kinds[i % kinds.length] ?? 'one';
    const blow = dead[kind] <= left ? kind : 'one';
    const at = (chance.between(1, 4) === 1 && blow !== 'mute' && blow !== 'hang' ? idle : busy).pop();
    if (at === undefined || at === instants.at(-1)) continue;
    blows.set(at, blow);
    left -= dead[blow];
  }
  return blows;
}

/** Goes from one instant to the next, striking and posting on the way; when nobody was there. */
async function play(
  on: ScheduleStage,
  chance: Chance,
  {
    runs,
    instants,
    blows,
  }: {runs: readonly ExpectedRun[]; instants: readonly number[]; blows: Map<number, Blow>},
): Promise<[number, number][]> {
  const outages: [number, number][] = [];
  const posts = new Map<number, {team: string; user: string; date: string}[]>();
  for (const {team, date, parts} of runs) {
    for (const {person, posts: at} of parts) {
      if (at === undefined) continue;
      posts.set(at, [...(posts.get(at) ?? []), {team: team.slug, user: person.user, date}]);
    }
  }
  const coming = new Map<ServiceProcess, Promise<void>>();
  const restart = (process: ServiceProcess) => coming.set(process, process.restart());
  const allBack = () => Promise.all(coming.values());
  for (const [i, at] of instants.entries()) {
    const blow = blows.get(at);
    if (blow !== undefined) await allBack();
    let struck = on.processes;
    if (blow === 'outage') {
      await Promise.all(on.processes.map((process) => process.kill()));
      const next = instants[i + 1] ?? at;
      const back = at + Math.min(100 * minute, Math.floor((next - at) / 2));
      await on.clock.set(back);
      outages.push([at, back]);
    } else {
      await on.clock.set(at);
      if (blow !== undefined) struck = await strike(on, chance, blow);
    }
    if (blow !== undefined) {
      await on.forgetPump();
      for (const process of struck) restart(process);
      if (blow !== 'one') await allBack();
    }
    await on.settle();
    const some = posts.get(at) ?? [];
    for (let first = 0; first < some.length; first += 8) {
      await Promise.all(some.slice(first, first + 8).map(on.post));
    }
    if (some.length > 0) await on.settle();
    forgetCalls(on);
    if (isWhole && i % 200 === 0) {
      report('played until', {[new Date(at).toISOString()]: `(${on.sent.length} sent)`});
    }
  }
  await allBack();
  return outages;
}

async function strike(
  on: ScheduleStage,
  chance: Chance,
  blow: Exclude<Blow, 'outage'>,
): Promise<readonly ServiceProcess[]> {
  if (blow === 'one') {
    // Anywhere between the first look at what is due and its end.
    await pause(chance.between(0, 120));
    const one = chance.pick(on.processes);
    await one.kill();
    return [one];
  }
  const before = on.slack.of('chat.postMessage').length;
  on.slack.fail('chat.postMessage', {kind: blow});
  // Where nobody is reminded after all there is no call to die in.
  await until(() => on.slack.of('chat.postMessage').length > before, {
    what: 'a reminder is sent',
    withinMs: 1_500,
    everyMs: 1,
  }).catch(() => undefined);
  await Promise.all(on.processes.map((process) => process.kill()));
  return on.processes;
}

/** Tens of thousands of calls are not kept; what was wrong with them is. */
function forgetCalls({slack}: ScheduleStage): void {
  const faults = [...slack.limitFaults];
  slack.clear();
  slack.limitFaults.push(...faults);
}

/** The teams and dates of runs that events of each type tell of. */
function countRuns(events: Awaited<ReturnType<ScheduleStage['listEvents']>>): Map<string, string[]> {
  const told = new Map<string, string[]>();
  for (const {type, data} of events) {
    if (!type.startsWith('run.')) continue;
    told.set(type, [...(told.get(type) ?? []), `${data.team_id} ${data.date}`]);
  }
  return told;
}
