import {afterEach, expect, it} from '@jest/globals';
import {randomInt} from 'node:crypto';
import {setTimeout as pause} from 'node:timers/promises';
import {deep} from '../support/deep.js';
import {type Chance, createChance} from '../support/seeded-random.js';
import {botToken} from '../support/slack-harness.js';
import {until} from '../support/until.js';
import {report} from './audit.js';
import {type Death, die, listDeaths} from './deaths.js';
import {findViolations} from './replies-audit.js';
import {createPeople, type Talk, type Thread} from './replies-people.js';
import {setSlackStage, type SlackProcess, type SlackStage} from './slack-stage.js';

/** Number of kills, set by `npm run faults -- replies --kills N`. */
const kills = Number(process.env['REPLIES_FAULT_KILLS'] ?? (deep ? 12 : 4));
const seed = Number(process.env['REPLIES_FAULT_SEED'] ?? randomInt(2 ** 31));

/** The times (ms) that the processes and Slack take, short because the test is about what follows them. */
const waits = {
  unanswered: Array.from({length: 40}, () => 100),
  closed: Array.from({length: 40}, () => 100),
  leaseMs: 500,
  spacingMs: 10,
  editSpacingMs: 10,
};

const changes = ['comment.created', 'comment.updated', 'comment.deleted', 'commit'];
const deaths = listDeaths({
  names: [...changes, 'slack-mark', 'slack-record'],
  steps: ['after-wake'],
  methods: ['chat.postMessage', 'chat.update', 'chat.delete', 'conversations.replies'],
});

let stage: SlackStage | undefined;
afterEach(() => stage?.close());

it(
  `after ${kills} kills at any step each comment is in Slack once with its last text, each reply in Slack is one comment, and nothing deleted returns`,
  async () => {
    report('comments and replies in one thread', {seed, kills});
    const chance = createChance(seed);
    const removed = new Set<unknown>();
    stage = await setSlackStage({
      roles: ['web,worker', 'web,worker'],
      waits,
      hasPeople: true,
      team: {slack_post_mode: 'channel', slack_replies: 'both'},
    });
    // Slack posts nothing below a message that was removed, which the emulated one would.
    for (const {slack} of stage.processes)
      slack.failAlways('chat.postMessage', {
        kind: 'refused',
        code: 'thread_not_found',
        unless: ({thread_ts}) => thread_ts === undefined || !removed.has(thread_ts),
      });
    const talk: Talk = {threads: [], written: [], typed: [], counts: {sent: 0, untaken: 0}};
    const echoed = new Set<unknown>();
    const struck: string[] = [];
    let left: Death[] = [];
    for (let round = 1; round <= kills; round++) {
      if (left.length === 0) left = chance.shuffle(deaths);
      const death = left.pop() as Death;
      struck.push(death.name);
      try {
        await playRound(stage, talk, chance, {round, death, removed, echoed});
      } catch (error) {
        throw new Error(`seed ${seed}, round ${round}, ${death.name}: ${String(error)}`, {cause: error});
      }
    }
    const look = () => findViolations(stage as SlackStage, talk);
    const isQuiet = async () => (await look()).length === 0;
    await until(isQuiet, {what: 'all is right', everyMs: 1_000, withinMs: 60_000}).catch(() => undefined);
    // What comes late would be seen after a while.
    await pause(2_000);
    expect({seed, struck, violations: await look()}).toEqual({seed, struck, violations: []});
    for (const {slack} of stage.processes) expect(slack.limitViolations).toEqual([]);
    const calls = (method: string) =>
      stage?.processes.reduce((all, {slack}) => all + slack.of(method).length, 0) ?? 0;
    const lastOf = ({said}: Talk['typed'][number]) => said.at(-1)?.text;
    report('comments and replies in one thread', {
      kills,
      threads: talk.threads.length,
      'removed in Slack': removed.size,
      comments: talk.written.length,
      'of these deleted': talk.written.filter(({text}) => text === undefined).length,
      replies: talk.typed.length,
      'of these deleted there': talk.typed.filter((reply) => lastOf(reply) === undefined).length,
      'of these deleted here': talk.typed.filter(({isDeletedHere}) => isDeletedHere).length,
      'events sent': talk.counts.sent,
      'given up by Slack': talk.counts.untaken,
      posts: calls('chat.postMessage'),
      edits: calls('chat.update'),
      removals: calls('chat.delete'),
      'looked for': calls('conversations.replies'),
    });
  },
  180_000 + 60_000 * kills,
);

interface Round {
  readonly round: number;
  readonly death: Death;
  /** The messages that people have removed in Slack. */
  readonly removed: Set<unknown>;
  /** The calls of the bot that Slack has reported to it. */
  readonly echoed: Set<unknown>;
}

/** People talk while a process dies, and go on when it is back. */
async function playRound(
  stage: SlackStage,
  talk: Talk,
  chance: Chance,
  {round, death, removed, echoed}: Round,
): Promise<void> {
  const people = createPeople(stage, talk, chance);
  const open = () => talk.threads.filter(({end}) => end === undefined);
  if (round % 3 === 1) await people.postStandup(`standup ${round}`);
  const older = open().at(-2);
  if (older !== undefined && round % 6 === 4) {
    older.end = 'removed in Slack';
    removed.add(older.root);
    await people.removeInSlack(older.root, botToken);
  }
  const threads = [...open(), ...talk.threads.filter(({end}) => end === 'removed in Slack').slice(-1)];
  const pick = (): Thread => chance.pick(threads.slice(-3));
  const dying = chance.pick(stage.processes);
  const dead = die(stage, dying, death);
  const talks = Promise.all([
    ...[1, 2, 3].map((number) => people.comment(pick(), `comment ${round}.${number}`)),
    ...[1, 2].map((number) => people.reply(chance.pick(open().slice(-2)), `reply ${round}.${number}`)),
    ...talk.typed.slice(-5, -4).map((reply) => people.deleteHere(reply)),
  ]);
  talks.catch(() => undefined);
  await dead;
  // The other process goes on alone for a while, or dies too.
  const other = stage.processes.find((one) => one !== dying) as SlackProcess;
  const isAlone = chance.between(1, 3) > 1;
  if (isAlone) await pause(chance.between(0, 1_000));
  else await other.service.kill();
  await dying.service.restart();
  if (!isAlone) await other.service.restart();
  await talks;
  const calls = stage.processes.flatMap(({slack}) => slack.of('chat.postMessage'));
  const unheard = calls.filter((call) => !echoed.has(call) && (call.reply as {ok?: boolean})?.ok);
  await Promise.all(unheard.map((call) => people.echo(call)));
  for (const call of unheard) echoed.add(call);
  const oldest = open()[0];
  if (oldest === undefined || round % 6 !== 0) return;
  oldest.end = 'deleted';
  await people.deleteStandup(oldest);
}
