import {afterEach, expect, it} from '@jest/globals';
import {randomInt} from 'node:crypto';
import type {Standup} from '../../src/domain/standups/standup.js';
import {deep} from '../support/deep.js';
import {type Chance, createChance} from '../support/seeded-random.js';
import type {Json} from '../support/service.js';
import {withTimeout, until} from '../support/until.js';
import {listAll, report} from './audit.js';
import {setSlackStage, type ShownChannel, type SlackProcess, type SlackStage} from './slack-stage.js';
import {type PostAnswer, type WebPoster, type Send, type PostRoute, ways} from './slack-web-posts.js';

/** Number of rounds: 1 in `npm test`, or set by `npm run faults -- slack --rounds N`. */
const rounds = Number(process.env['SLACK_FAULT_ROUNDS'] ?? 1);
const seed = Number(process.env['SLACK_FAULT_SEED'] ?? randomInt(2 ** 31));
/** Pattern of the names of the rounds to run. */
const only = new RegExp(process.env['SLACK_FAULT_ONLY'] ?? '');

/** A time at which the process that gets the standup is killed. */
interface DeathMoment {
  readonly name: string;
  /** The step at which the process kills itself. Without a step it is killed after its answer. */
  readonly step?: string;
  /** Possible numbers of stored standups at that time. */
  readonly made: readonly number[];
}

const moments: readonly DeathMoment[] = [
  {name: 'before its first commit', step: 'before-commit', made: [0]},
  {name: 'before the commit of the post', step: 'before-standup.created', made: [0]},
  {name: 'between that commit and the answer', step: 'after-standup.created', made: [1]},
  // The first request for work is about the new member's membership or about the standup.
  {name: 'at its first wake-up', step: 'after-wake', made: [0, 1]},
  {name: 'after the answer', made: [1]},
];

interface Round {
  readonly way: PostRoute;
  readonly moment: DeathMoment;
}

const nameOf = ({way, moment}: Round) => `${way.name}, killed ${moment.name}`;

/** All combinations. A refused standup has no commit during which to kill, except that of the new member. */
const allRounds: readonly Round[] = ways
  .flatMap((way) => moments.map((moment) => ({way, moment})))
  .filter(({way, moment}) => !(way.isRefused && moment.step?.endsWith('standup.created')))
  .filter((round) => only.test(nameOf(round)));

/** A standup that was sent, and its outcome. */
interface PostAttempt {
  readonly way: PostRoute;
  readonly text: string;
  readonly person: WebPoster;
  readonly answered: boolean;
}

let stage: SlackStage | undefined;

afterEach(() => stage?.close());

const formations: [string, string[]][] = [
  ['another full process', ['web,worker', 'web,worker']],
  ['a worker', ['web', 'worker']],
];

it.each(formations.slice(0, deep || rounds > 1 ? 2 : 1))(
  'a standup sent to a process that is killed, beside %s, is shown once in Slack if answered, else at most once',
  async (_, roles) => {
    const each = Math.ceil(rounds / 2);
    report('kills of a process that is posted to', {seed, rounds: each, of: roles.join(' and ')});
    const chance = createChance(seed);
    stage = await setSlackStage({roles, waits: {unanswered: shortWaits, spacingMs: 100}});
    const struck = new Map<string, number>();
    const posts: PostAttempt[] = [];
    const others: string[] = [];
    let remaining: Round[] = [];
    for (let number = 1; number <= each; number++) {
      if (remaining.length === 0) remaining = chance.shuffle(allRounds);
      const round = remaining.pop() as Round;
      const name = nameOf(round);
      struck.set(name, (struck.get(name) ?? 0) + 1);
      try {
        posts.push(await play(stage, chance, round, {number, others}));
      } catch (error) {
        const where = `${name}, in round ${number} of seed ${seed}`;
        throw new Error(`${where}: ${String(error)}`, {cause: error});
      }
    }
    expect(await findViolations(stage, posts, others)).toEqual([]);
    for (const {slack} of stage.processes) expect(slack.limitViolations).toEqual([]);
    report('struck', Object.fromEntries([...struck].sort()));
    const shown = await stage.shown();
    report('kills of a process that is posted to', {
      kills: each,
      posts: posts.length,
      'answered or sent again': posts.filter(({answered}) => answered).length,
      refused: posts.filter(({way}) => way.isRefused).length,
      'posts of the other process': others.length,
      'standups shown': shown.replies.length,
      'parent messages': shown.parents.length,
    });
  },
  180_000 + 60_000 * rounds,
);

/** Waiting times for Slack (ms), short because the test is about what follows them. */
const shortWaits = Array.from({length: 20}, () => 100);
/** Time that a process waits for Slack (ms). */
const callMs = 10_000;

/**
 * Kills one process while a standup is sent to it and Slack has not answered the other process. `others`:
 * standups of the other process.
 */
async function play(
  stage: SlackStage,
  chance: Chance,
  {way, moment}: Round,
  {number, others}: {number: number; others: string[]},
): Promise<PostAttempt> {
  const [dying, other] = stage.processes as [SlackProcess, SlackProcess];
  const person = {id: `U0W${number}`, name: `writer${number}`};
  const text = `wrote chapter ${number}.`;
  const send = await way.prepare(stage, dying, {text, person});
  const held = await holdMessage(stage, `while ${number}`, others);
  let answered: PostAnswer | undefined;
  try {
    answered = await dieWith(dying, moment, send);
    expect(held.isHeld()).toBe(true);
  } finally {
    held.release();
  }
  await stage.releaseScheduler();

  const isBack = !stage.serving.includes(other) || chance.between(0, 1) === 1;
  if (isBack) await dying.service.restart();
  const alive = isBack ? dying : other;
  const made = (await listPosts(stage, alive, text)).length;
  const wanted = way.isRefused ? [0] : answered === 'posted' ? [1] : moment.made;
  if (!wanted.includes(made))
    throw new Error(`${made} standups, not ${wanted.join(' or ')}; it said ${answered}`);
  // Without an answer, Slack or the person often sends the standup again.
  const isAgain = answered === undefined ? chance.between(1, 4) > 1 : chance.between(1, 4) === 1;
  if (isAgain) answered = await untilAnswered(send, alive);
  if (answered !== undefined) expect(answered).toBe(way.isRefused ? 'refused' : 'posted');
  if (!isBack) await dying.service.restart();
  const posts = await listPosts(stage, dying, text);
  if (!way.isRefused && answered !== undefined) expect(posts.map(({id}) => id)).toHaveLength(1);
  await until(async () => isShown(await stage.shown(), [...posts.map(({id}) => id), ...others.slice(-1)]), {
    what: 'all that is posted is shown',
    withinMs: 60_000,
    everyMs: 200,
  });
  return {way, text, person, answered: answered !== undefined};
}

/**
 * Makes Slack take a message of the other process without answering. If both processes work, the killed one
 * may have sent the message instead; then another one is posted.
 */
async function holdMessage(stage: SlackStage, text: string, others: string[]) {
  const {slack} = stage.processes[1] as SlackProcess;
  const poster = stage.serving.at(-1) as SlackProcess;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const before = slack.of('chat.postMessage').length;
  const find = () => slack.of('chat.postMessage')[before];
  slack.fail('chat.postMessage', {kind: 'late', until: released});
  for (let number = 1; find()?.reply === undefined; number++) {
    const update = `${text}, ${number}`;
    const what = {key: update.replaceAll(/\W+/g, '-'), body: {team: 'platform', update}};
    const {id} = await stage.request('POST', '/v1/standups', {...what, to: poster.service.url});
    others.push(id);
    const isSent = async () => find()?.reply !== undefined || isShown(await stage.shown(), [id]);
    await until(isSent, {what: 'a process posts to the channel', everyMs: 100});
  }
  /** Whether the process that sent the message still waits for Slack's answer. */
  const isHeld = () => performance.now() - (find()?.at ?? 0) < callMs;
  return {release, isHeld};
}

/** Kills the process, and resolves with its answer if there was one before. */
async function dieWith(
  dying: SlackProcess,
  {step}: DeathMoment,
  send: Send,
): Promise<PostAnswer | undefined> {
  const {service} = dying;
  if (step === undefined) {
    const answered = await untilAnswered(send, dying);
    await service.kill();
    return answered;
  }
  const death = service.arm({name: step, hit: 1, signal: 'SIGKILL'});
  const answered = await send(dying).catch(() => undefined);
  await withTimeout(death, `a process dies ${step}, which has said ${answered}`);
  expect(await service.current().exited).toEqual({code: null, signal: 'SIGKILL'});
  return answered === 'again' ? undefined : answered;
}

/** Sends the standup again while the outcome is uncertain or the answer says so. */
function untilAnswered(send: Send, to: SlackProcess): Promise<PostAnswer> {
  const ask = async () => {
    const answered = await send(to);
    return answered !== 'again' && answered;
  };
  return until(ask, {what: 'a post is answered', everyMs: 100});
}

async function listPosts(stage: SlackStage, from: SlackProcess, text: string): Promise<Standup[]> {
  const all = (await listAll(from.service.url, '/v1/standups', stage.token)) as Standup[];
  return all.filter(({update}) => update.includes(text));
}

function isShown({replies}: ShownChannel, ids: readonly string[]): boolean {
  const shown = new Set(replies.map(({about}) => about));
  return ids.every((id) => shown.has(id));
}

/**
 * Finds violations of these rules: each standup is in the channel once, and nothing else is. A person who
 * joined by posting has a standup.
 */
async function findViolations(
  stage: SlackStage,
  posts: readonly PostAttempt[],
  others: string[],
): Promise<string[]> {
  const {service, token} = stage;
  const standups = (await listAll(service.url, '/v1/standups', token)) as Standup[];
  const memberships: Json[] = await listAll(service.url, '/v1/teams/platform/members', token);
  const inTeam = new Set(memberships.map(({member}) => member.name));
  const {parents, replies} = await stage.shown();
  const count = (list: readonly unknown[], one: unknown) => list.filter((other) => other === one).length;
  const shown = replies.map(({about}) => about);
  const days = parents.map(({about}) => about);
  const ids = standups.map(({id}) => String(id));
  return [
    ...ids.filter((id) => count(shown, id) !== 1).map((id) => `${id} is shown ${count(shown, id)} times`),
    ...shown.filter((id) => !ids.includes(id)).map((id) => `${id} is shown and not there`),
    ...days.filter((day) => count(days, day) !== 1).map((day) => `another parent message of ${day}`),
    ...others.filter((id) => !ids.includes(id)).map((id) => `${id} of the other process is gone`),
    ...posts.flatMap(({way, text, person, answered}) => {
      const made = standups.filter(({update}) => update.includes(text)).length;
      const mayBe = way.isRefused ? [0] : answered ? [1] : [0, 1];
      const teamCount = inTeam.has(person.name) ? 1 : 0;
      return [
        ...(mayBe.includes(made) ? [] : [`${text} is there ${made} times`]),
        ...(way.joins && teamCount !== made
          ? [`${person.name} is in ${teamCount} teams by ${made} posts`]
          : []),
      ];
    }),
  ];
}
