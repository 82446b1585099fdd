import {afterEach, expect, it} from '@jest/globals';
import {randomInt} from 'node:crypto';
import {messageTypes} from '../../src/bot/showing/metadata.js';
import {addDays} from '../../src/domain/core/dates.js';
import type {Standup} from '../../src/domain/standups/standup.js';
import {deep} from '../support/deep.js';
import type {SlackFailure, SlackCall} from '../support/slack-failure-server.js';
import {type Chance, createChance} from '../support/seeded-random.js';
import {withTimeout, until} from '../support/until.js';
import {listAll, report} from './audit.js';
import {setSlackStage, type SlackStage} from './slack-stage.js';

/** Number of rounds: 1 in `npm test`, or set by `npm run faults -- slack --rounds N`. */
const rounds = Number(process.env['SLACK_FAULT_ROUNDS'] ?? 1);
const seed = Number(process.env['SLACK_FAULT_SEED'] ?? randomInt(2 ** 31));
/** Number of times the process is killed before it may finish its work. */
const killsPerRound = deep || rounds > 1 ? 5 : 2;

/**
 * A time at which the process is killed: at a step of its own, or during a call of Slack that is not
 * answered.
 */
type Death =
  | {readonly name: string; readonly step: string}
  | {readonly name: string; readonly method: string; readonly failure: SlackFailure};

const beforeMark = {name: 'before the call is marked', step: 'before-slack-mark'};
const afterMark = {name: 'marked, before the call', step: 'after-slack-mark'};
const beforeRecord = {name: 'after an answer, before its record', step: 'before-slack-record'};
const during = (method: string): Death => ({
  name: `during ${method}, which Slack has not done`,
  method,
  failure: {kind: 'hang'},
});
const done = (method: string): Death => ({
  name: `during ${method}, which Slack has done`,
  method,
  failure: {kind: 'mute'},
});

/**
 * Work during which the process is killed. `deaths`: kills before Slack shows the result. `after`: kills
 * after that.
 */
interface CrashCase {
  readonly name: string;
  readonly deaths: readonly Death[];
  readonly after: readonly Death[];
  /** Creates the data that the work needs. Returns the id of the standup concerned. */
  prepare(stage: SlackStage, date: string): Promise<string | undefined>;
  begin(stage: SlackStage, date: string, standup: string | undefined): Promise<unknown>;
  isDone(shown: VisibleChannel, date: string): boolean;
}

/** Types of direct messages; a new person gets one message of each type. */
const [reminder, welcome] = [messageTypes.prompt, messageTypes.notice];

/** The messages in the channel on a day, and whether the latest new person has been reminded. */
type VisibleChannel = Awaited<ReturnType<SlackStage['shown']>> & {readonly isReminded: boolean};

async function look(stage: SlackStage, date: string): Promise<VisibleChannel> {
  const [shown, direct] = await Promise.all([stage.shown(date), stage.direct()]);
  return {...shown, isReminded: [...direct.values()].at(-1)?.has(reminder) ?? false};
}

/** Interval between checks (ms). More frequent ones would reach the limit of the emulated Slack. */
const everyMs = 150;

const post = (stage: SlackStage, date: string, update: string) =>
  stage.request('POST', '/v1/standups', {
    key: update.replaceAll(' ', '-'),
    body: {team: 'platform', update, date},
  });

/** Posts a standup and waits until it is shown under the parent message of its day. */
async function postShown(stage: SlackStage, date: string): Promise<string> {
  const {id} = await post(stage, date, `before ${date}`);
  await until(async () => (await stage.shown(date)).replies.some(({about}) => about === id), {
    what: 'a standup is shown',
    everyMs,
  });
  return id;
}

const works: readonly CrashCase[] = [
  {
    name: 'post',
    deaths: [beforeMark, afterMark, during('chat.postMessage'), done('chat.postMessage'), beforeRecord],
    after: [during('conversations.replies'), beforeRecord],
    prepare: postShown,
    begin: (stage, date) => post(stage, date, `survives ${date}`),
    isDone: ({replies}, date) => replies.some(({text}) => text.includes(`survives ${date}`)),
  },
  {
    name: 'parent',
    deaths: [beforeMark, afterMark, during('chat.postMessage'), done('chat.postMessage'), beforeRecord],
    after: [during('conversations.history'), beforeRecord],
    prepare: async () => undefined,
    begin: (stage, date) => post(stage, date, `survives ${date}`),
    isDone: ({parents}, date) => parents.some(({about}) => about === date),
  },
  {
    name: 'update',
    deaths: [during('chat.update'), done('chat.update'), beforeRecord],
    after: [during('chat.update'), beforeRecord],
    prepare: postShown,
    begin: (stage, date, standup) =>
      stage.request('PATCH', `/v1/standups/${standup}`, {
        key: `survives-${date}`,
        body: {update: `survives ${date}`},
      }),
    isDone: ({replies}, date) => replies.some(({text}) => text.includes(`survives ${date}`)),
  },
  {
    name: 'delete',
    deaths: [during('chat.delete'), done('chat.delete'), beforeRecord],
    after: [during('chat.delete'), beforeRecord],
    prepare: postShown,
    begin: (stage, date, standup) =>
      stage.request('DELETE', `/v1/standups/${standup}`, {key: `delete-${date}`}),
    isDone: ({replies}, date) => !replies.some(({text}) => text.includes(`before ${date}`)),
  },
  {
    name: 'remind',
    deaths: [beforeMark, afterMark, during('chat.postMessage'), done('chat.postMessage'), beforeRecord],
    after: [during('conversations.history'), beforeRecord],
    prepare: openRunOfNewcomer,
    begin: (stage, date) =>
      stage.request('POST', `/v1/teams/remind-${date}/reminders`, {key: `remind-${date}`}),
    isDone: ({isReminded}) => isReminded,
  },
  {
    name: 'join',
    deaths: [beforeMark, afterMark, during('conversations.join'), beforeRecord],
    after: [during('conversations.replies'), beforeRecord],
    prepare: postShownAndLeave,
    begin: (stage, date) => post(stage, date, `survives ${date}`),
    isDone: ({replies}, date) => replies.some(({text}) => text.includes(`survives ${date}`)),
  },
];

/**
 * Posts a standup and then removes the bot from the channel. Slack refuses messages until the bot joins
 * again.
 */
async function postShownAndLeave(stage: SlackStage, date: string): Promise<string> {
  const id = await postShown(stage, date);
  const before = stage.slack.of('conversations.join').length;
  const joined = () =>
    stage.slack
      .of('conversations.join')
      .slice(before)
      .some(({reply}) => reply !== undefined);
  stage.slack.failAlways('chat.postMessage', {kind: 'refused', code: 'not_in_channel', unless: joined});
  return id;
}

/** Opens a run in a team with a new person who has not posted. */
async function openRunOfNewcomer(stage: SlackStage, date: string): Promise<undefined> {
  const team = `remind-${date}`;
  const user = await stage.newcomer();
  const {id} = await stage.request('POST', '/v1/members', {
    key: `member-${date}`,
    body: {name: 'Newcomer', slack_user_id: user},
  });
  // A message at the opening, if it came before the kill is prepared, would only be edited by the reminder.
  const body = {slug: team, name: 'Remind', prompt_at: 'before_closing'};
  await stage.request('POST', '/v1/teams', {key: `team-${date}`, body});
  await stage.request('PUT', `/v1/teams/${team}/members/${id}`, {key: `place-${date}`});
  // Waits for the welcome message, so that the kills happen during the reminder.
  await until(async () => [...(await stage.direct()).values()].at(-1)?.has(welcome) === true, {
    what: 'the welcome',
    everyMs,
  });
  await stage.request('POST', `/v1/teams/${team}/runs`, {key: `run-${date}`});
}

let stage: SlackStage | undefined;

afterEach(() => stage?.close());

it(
  `${killsPerRound} kills at any time leave one Slack message per standup and per day, and one reminder and welcome per person`,
  async () => {
    report('crash suite of Slack', {seed, rounds});
    const chance = createChance(seed);
    stage = await setSlackStage();
    const struck = new Map<string, number>();
    for (let round = 0; round < rounds; round++) {
      const work = works[round % works.length] as CrashCase;
      for (const death of await play(stage, chance, work, addDays(today(), -round))) {
        const name = `${work.name}: ${death}`;
        struck.set(name, (struck.get(name) ?? 0) + 1);
      }
    }
    // The parent message of the last day is shown before the standup under it.
    const audit = () => findViolations(stage as SlackStage);
    const isShown = async () => (await audit()).missing.length === 0;
    await until(isShown, {what: 'all is shown', everyMs: 500}).catch(() => undefined);
    expect(await audit()).toEqual({missing: [], violations: []});
    report('struck', Object.fromEntries([...struck].sort()));
    const calls = (method: string) => stage?.slack.of(method).length ?? 0;
    report('crash suite of Slack', {
      rounds,
      kills: rounds * killsPerRound,
      posts: calls('chat.postMessage'),
      updates: calls('chat.update'),
      deletes: calls('chat.delete'),
      joins: calls('conversations.join'),
      'looked for': calls('conversations.replies') + calls('conversations.history'),
      'standups shown': (await stage.shown()).replies.length,
      'parent messages': (await stage.shown()).parents.length,
      reminders: [...(await stage.direct()).values()].reduce((all, one) => all + (one.get(reminder) ?? 0), 0),
    });
  },
  180_000 + 60_000 * rounds,
);

/** Kills the process repeatedly during one piece of work. Returns the names of the kills. */
async function play(stage: SlackStage, chance: Chance, work: CrashCase, date: string): Promise<string[]> {
  const standup = await work.prepare(stage, date);
  const deaths: string[] = [];
  for (let kill = 0; kill < killsPerRound; kill++) {
    const choices = work.isDone(await look(stage, date), date) ? work.after : work.deaths;
    const death = chance.pick(choices);
    await dieAt(stage, death, {isDead: kill > 0, begin: () => work.begin(stage, date, standup)});
    deaths.push(death.name);
  }
  await stage.service.restart();
  await work.begin(stage, date, standup);
  await until(async () => work.isDone(await look(stage, date), date), {
    what: `${work.name} is done`,
    everyMs,
  });
  return deaths;
}

/**
 * Resolves when the process has died at that step. The work is requested after each start with the same
 * idempotency key, because the process may have died before the request arrived.
 */
async function dieAt(
  {service, slack, releaseScheduler}: SlackStage,
  death: Death,
  {isDead, begin}: {isDead: boolean; begin: () => Promise<unknown>},
): Promise<void> {
  const ask = () => begin().catch(() => undefined);
  if ('step' in death) {
    const failpoint = {name: death.step, hit: 1};
    if (isDead) await service.restart(failpoint);
    const dead: Promise<unknown> = isDead
      ? service.current().exited
      : service.arm({...failpoint, signal: 'SIGKILL'});
    await ask();
    await withTimeout(dead, death.name);
  } else {
    const before = slack.of(death.method).length;
    slack.fail(death.method, death.failure);
    if (isDead) await service.restart();
    await ask();
    await until(() => isReached(slack.of(death.method)[before], death.failure), {what: death.name});
    await service.kill();
  }
  await releaseScheduler();
}

function isReached(call: SlackCall | undefined, failure: SlackFailure): boolean {
  return call !== undefined && (failure.kind === 'hang' || call.reply !== undefined);
}

/**
 * Finds violations of these rules: every standup is in the channel once, with its current text, and nothing
 * else is. Each day has one parent message.
 */
async function findViolations(stage: SlackStage): Promise<{missing: string[]; violations: string[]}> {
  const standups = (await listAll(stage.service.url, '/v1/standups', stage.token)) as Standup[];
  const {parents, replies} = await stage.shown();
  const days = parents.map(({about}) => about);
  const wanted = standups.map(({id, author, update}) => `${id} ${author.name}: ${update}`);
  const shown = replies.map(({about, text}) => `${about} ${text}`);
  const violations = [
    ...surplus(shown, wanted).map((message) => `one too many: ${message}`),
    ...surplus(days, [...new Set(days)]).map((day) => `another parent message of ${day}`),
    ...[...(await stage.direct())].flatMap(([user, counts]) =>
      [...new Set([reminder, welcome, ...counts.keys()])].flatMap((type) =>
        counts.get(type) === 1 && (type === reminder || type === welcome)
          ? []
          : [`${counts.get(type) ?? 0} of ${type} for ${user}`],
      ),
    ),
    ...standups.flatMap(({date}) => (days.includes(date) ? [] : [`no parent message of ${date}`])),
  ];
  return {missing: surplus(wanted, shown), violations};
}

/** Returns the entries of `list` without one equal entry for each entry of `taken`. */
function surplus(list: readonly string[], taken: readonly string[]): string[] {
  const left = [...taken];
  return list.filter((entry) => {
    const at = left.indexOf(entry);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
