import {setTimeout as pause} from 'node:timers/promises';
import type {ServiceProcess} from '../support/service-process.js';
import {type Chance, createChance} from '../support/seeded-random.js';
import {until} from '../support/until.js';
import {createActionGenerator, generateMoments} from './schedules-actions.js';
import {type Action, createOracle, type Oracle} from './schedules-oracle.js';
import type {CompanyPlan} from './schedules-plan.js';
import type {ScheduleStage} from './schedules-stage.js';

const minute = 60_000;

/**
 * Kinds of kills. `one`: one process, at any time. `mute`: both, after Slack has taken a message but not
 * answered. `hang`: both, before Slack has taken it. `outage` and `absence`: both, for less or more time than
 * the service makes up for.
 */
export type KillKind = 'one' | 'mute' | 'hang' | 'outage' | 'absence';
const dead: Readonly<Record<KillKind, number>> = {one: 1, mute: 2, hang: 2, outage: 2, absence: 2};

export interface PlayScript {
  readonly plan: CompanyPlan;
  readonly seed: number;
  /** Start and end of the simulated time (ms). */
  readonly time: readonly [from: number, until: number];
  readonly startsOn: string;
  /** Number of times at which people act. `actionsAtOnce`: number of actions at each time. */
  readonly moments: number;
  readonly actionsAtOnce: number;
}

/** The part that executes a script: the service, or nothing in a rehearsal. */
interface PlayDriver {
  /** Moves the clock to an instant and may kill processes. Returns the time at which they run again. */
  reach(at: number): Promise<number>;
  /** Performs an action at the current time, before later steps. */
  act(action: Action, status: number): Promise<void>;
  post(posts: readonly (Action & {do: 'post'})[]): Promise<void>;
  untilIdle(): Promise<void>;
}

export interface PlayedSchedules {
  readonly oracle: Oracle;
  /** Instants with a due step, each with whether people were notified and whether a run closed. */
  readonly instants: readonly {readonly at: number; readonly notifies: boolean; readonly closes: boolean}[];
  readonly actions: ReadonlyMap<string, number>;
}

/** Moves from one instant to the next and does due steps, standups and actions. */
async function play(
  {plan, seed, time, startsOn, moments, actionsAtOnce}: PlayScript,
  driver: PlayDriver,
): Promise<PlayedSchedules> {
  const [from, end] = time;
  const oracle = createOracle(plan, createChance(seed + 1), from);
  const chance = createChance(seed + 2);
  const generator = createActionGenerator(chance, oracle, startsOn);
  const coming = generateMoments(chance, time, moments);
  const instants: {at: number; notifies: boolean; closes: boolean}[] = [];
  const actions = new Map<string, number>();

  async function act(action: Action, now: number, what: string = nameOf(action)): Promise<void> {
    actions.set(what, (actions.get(what) ?? 0) + 1);
    await driver.act(action, oracle.apply(action, now));
  }

  for (let now = from; now < end; ) {
    const at = Math.min(oracle.next() ?? end, coming[0] ?? end, end);
    const due = oracle.dueAt(at);
    instants.push({at, notifies: due.notifies, closes: due.closes});
    now = await driver.reach(at);
    const {teams} = oracle.dueAt(now);
    oracle.advance(now);
    const atStep = generator.generateAtStep(teams);
    if (atStep !== undefined) await act(atStep, now, `${nameOf(atStep)} at a step`);
    await driver.untilIdle();
    const posts = oracle.takeWishes(now).map((post) => ({do: 'post', ...post}) as const);
    for (const post of posts) oracle.apply(post, now);
    await driver.post(posts);
    if (coming[0] === undefined || coming[0] > now) continue;
    while (coming[0] !== undefined && coming[0] <= now) coming.shift();
    for (const action of generator.generateSome(now, actionsAtOnce)) {
      await act(action, now);
      if (!isOver.has(action.do)) await driver.untilIdle();
    }
    await driver.untilIdle();
  }
  return {oracle, instants, actions};
}

/**
 * Actions that are complete when they are answered. They start no work of a run that later actions could
 * overtake.
 */
const isOver: ReadonlySet<Action['do']> = new Set([
  'enter-absence',
  'take-back-absence',
  'change-person',
  'post',
]);

function nameOf(action: Action): string {
  return action.do === 'change-team' ? `${action.do} ${Object.keys(action.body).join()}` : action.do;
}

/** Plays the script without a service, to learn when steps are due. */
export async function rehearse(script: PlayScript): Promise<PlayedSchedules> {
  const nothing = async () => undefined;
  return play(script, {reach: async (at) => at, act: nothing, post: nothing, untilIdle: nothing});
}

/** Plays the script on a stage and kills processes. Returns the number of kills. */
export async function perform(
  script: PlayScript,
  on: ScheduleStage,
  plannedKills: ReadonlyMap<number, KillKind>,
  note: (at: number) => void,
): Promise<PlayedSchedules & {readonly kills: number}> {
  const chance = createChance(script.seed + 3);
  const [, end] = script.time;
  const left = [...plannedKills].toSorted(([a], [b]) => a - b);
  const coming = new Map<ServiceProcess, Promise<void>>();
  const restart = (process: ServiceProcess) => coming.set(process, process.restart());
  const allBack = () => Promise.all(coming.values());
  let [kills, reached] = [0, 0];
  const played = await play(script, {
    async reach(at) {
      // An outage may have passed planned kills.
      const kind = left[0] !== undefined && left[0][0] <= at ? left.shift()?.[1] : undefined;
      reached += 1;
      if (reached % 200 === 0) note(at);
      if (kind === undefined || at === end) {
        await on.clock.set(at);
        return at;
      }
      await allBack();
      kills += dead[kind];
      let struck = on.processes;
      let now = at;
      if (kind === 'outage' || kind === 'absence') {
        await Promise.all(on.processes.map((process) => process.kill()));
        const halfHours = kind === 'outage' ? chance.between(0, 3) : chance.between(4, 16);
        // The service returns at a time that is never within seconds of a step, nor exactly two hours after
        // one.
        now = Math.min(end, floorHalfHour(at) + halfHours * 30 * minute + 12 * minute);
        if (now < at) now = at;
        await on.clock.set(now);
      } else {
        await on.clock.set(at);
        struck = await strike(on, chance, kind);
      }
      await on.releaseScheduler();
      for (const process of struck) restart(process);
      return now;
    },
    async act(action, status) {
      const answered = await on.act(action);
      if (answered === status) return;
      throw new Error(`${JSON.stringify(action)} is answered with ${answered} instead of ${status}`);
    },
    async post(posts) {
      for (let first = 0; first < posts.length; first += 8) {
        const statuses = await Promise.all(posts.slice(first, first + 8).map(on.act));
        if (statuses.some((status) => status !== 201))
          throw new Error(`standups are answered with ${statuses}`);
      }
      if (posts.length > 0) await on.untilIdle();
      forgetCalls(on);
    },
    untilIdle: () => on.untilIdle(),
  });
  await allBack();
  return {...played, kills};
}

function floorHalfHour(at: number): number {
  return Math.floor(at / (30 * minute)) * 30 * minute;
}

/**
 * Plans the kills by instant: most of them when Slack is to get a message, the others at any time. Every
 * second `mute` kill is during the digest of a run.
 */
export function generateKills(
  chance: Chance,
  instants: PlayedSchedules['instants'],
  kills: number,
): Map<number, KillKind> {
  const some = chance.shuffle(instants.slice(0, -1));
  const [closing, notifying, idle] = [
    some.filter(({closes}) => closes),
    some.filter(({notifies, closes}) => notifies && !closes),
    some.filter(({notifies}) => !notifies),
  ];
  const plannedKills = new Map<number, KillKind>();
  const kinds: readonly KillKind[] = [
    'mute',
    'one',
    'outage',
    'one',
    'mute',
    'one',
    'absence',
    'one',
    'hang',
    'one',
  ];
  // Each seed begins with another kind, because a test may have only a few kills.
  const first = chance.between(0, kinds.length - 1);
  for (let left = kills, i = first; left > 0 && closing.length + notifying.length > 0; i += 1) {
    const index = i % kinds.length;
    const kind = kinds[index] ?? 'one';
    const kill = dead[kind] <= left ? kind : 'one';
    const atClosing = kill === 'mute' ? index === 0 : chance.between(1, 3) === 1;
    const isIdle = chance.between(1, 4) === 1 && kill !== 'mute' && kill !== 'hang';
    const one = isIdle
      ? idle.pop()
      : atClosing
        ? (closing.pop() ?? notifying.pop())
        : (notifying.pop() ?? closing.pop());
    if (one === undefined) continue;
    plannedKills.set(one.at, kill);
    left -= dead[kill];
  }
  return plannedKills;
}

async function strike(
  on: ScheduleStage,
  chance: Chance,
  kind: 'one' | 'mute' | 'hang',
): Promise<readonly ServiceProcess[]> {
  if (kind === 'one') {
    // Waits for a random time within the first search for due work.
    await pause(chance.between(0, 120));
    const one = chance.pick(on.processes);
    await one.kill();
    return [one];
  }
  const before = on.slack.of('chat.postMessage').length;
  on.slack.fail('chat.postMessage', {kind});
  // If no message is due after all, there is no call during which to kill the process.
  await until(() => on.slack.of('chat.postMessage').length > before, {
    what: 'a message is sent',
    withinMs: 1_500,
    everyMs: 1,
  }).catch(() => undefined);
  await Promise.all(on.processes.map((process) => process.kill()));
  return on.processes;
}

/** Drops the recorded Slack calls, of which there are tens of thousands, but keeps their errors. */
function forgetCalls({slack}: ScheduleStage): void {
  const violations = [...slack.limitViolations];
  slack.clear();
  slack.limitViolations.push(...violations);
}
