import {afterEach, expect, it} from '@jest/globals';
import {randomInt} from 'node:crypto';
import {setTimeout as pause} from 'node:timers/promises';
import {deep} from '../support/deep.js';
import {type Chance, createChance} from '../support/seeded-random.js';
import {botToken, lookingToken} from '../support/slack-harness.js';
import {startSmtp, type TestSmtp} from '../support/smtp.js';
import {until} from '../support/until.js';
import {listAll, report} from './audit.js';
import {type Death, die, listDeaths} from './deaths.js';
import {type Reader, setSlackStage, type SlackProcess, type SlackStage} from './slack-stage.js';

/** Number of kills, set by `npm run faults -- notices --kills N`. */
const kills = Number(process.env['NOTICES_FAULT_KILLS'] ?? (deep ? 12 : 3));
const seed = Number(process.env['NOTICES_FAULT_SEED'] ?? randomInt(2 ** 31));
/** Each person gets at most ten new messages a day. */
const readers = 2 * Math.ceil(kills / 6);

/** The times (ms) that the processes and Slack take, short because the test is about what follows them. */
const waits = {
  unanswered: Array.from({length: 40}, () => 100),
  closed: Array.from({length: 40}, () => 100),
  leaseMs: 500,
  spacingMs: 10,
  editSpacingMs: 10,
};

const commits = ['comment.created', 'notice', 'mail-record'];
const deaths = listDeaths({
  names: [...commits, 'slack-mark', 'slack-record', 'mail-claim', 'mail-mark'],
  steps: ['after-wake', 'mail-answered'],
  methods: ['chat.postMessage', 'chat.update', 'conversations.history'],
});

/** What one person is notified of: the comments on a standup that mention them. */
interface Conversation {
  readonly standup: string;
  readonly reader: Reader;
  /** The text of the last comment. */
  last: string;
}

let stage: SlackStage | undefined;
let smtp: TestSmtp | undefined;
afterEach(async () => {
  await stage?.close();
  await smtp?.close();
});

it(
  `after ${kills} kills between a comment and its messages each person has one message for each conversation, with the last comment`,
  async () => {
    report('notices of comments', {seed, kills});
    const chance = createChance(seed);
    smtp = await startSmtp({slowMs: 5});
    stage = await setSlackStage({
      roles: ['web,worker', 'web,worker'],
      waits,
      hasPeople: true,
      readers,
      env: {SMTP_URL: smtp.url, MAIL_FROM: 'Standup <standup@example.com>'},
      composed: {mailLeaseMs: 1_500, schedulerIntervalMs: 100},
    });
    const conversations = await openDirectMessages(stage);
    const struck: string[] = [];
    let left: Death[] = [];
    for (let round = 1; round <= kills; round++) {
      if (left.length === 0) left = chance.shuffle(deaths);
      const death = left.pop() as Death;
      struck.push(death.name);
      try {
        conversations.push(...(await playRound(stage, chance, round, death)));
      } catch (error) {
        throw new Error(`seed ${seed}, round ${round}, ${death.name}: ${String(error)}`, {cause: error});
      }
    }
    await stage.endReadingTime();
    const look = () => findViolations(stage as SlackStage, smtp as TestSmtp, conversations);
    const isQuiet = async () => (await look()).length === 0;
    await until(isQuiet, {what: 'all is sent', everyMs: 1_000, withinMs: 60_000}).catch(() => undefined);
    // A second message would come after a while.
    await pause(2_000);
    expect({seed, struck, violations: await look()}).toEqual({seed, struck, violations: []});
    const calls = (method: string) =>
      stage?.processes.reduce((all, {slack}) => all + slack.of(method).length, 0) ?? 0;
    const mails = await listAll(stage.service.url, '/v1/mails', stage.token);
    const ofState = (state: string) => mails.filter((mail) => mail.state === state).length;
    report('notices of comments', {
      kills,
      conversations: conversations.length,
      'by Slack': conversations.filter(({reader}) => reader.channel === 'slack').length,
      'posts in Slack': calls('chat.postMessage'),
      edits: calls('chat.update'),
      'looked for': calls('conversations.history'),
      'mails sent': ofState('sent'),
      'mails uncertain': ofState('uncertain'),
      'mails arrived': smtp.mails.length,
    });
  },
  180_000 + 60_000 * kills,
);

/** Notifies everyone once, which brings the id of their direct messages. A search for a message needs it. */
async function openDirectMessages(stage: SlackStage): Promise<Conversation[]> {
  const update = {team: 'platform', update: 'standup 0'};
  const {id: standup} = await stage.request('POST', '/v1/standups', {key: 'standup-0', body: update});
  const conversations = stage.readers.map((reader) => ({standup, reader, last: 'first 0'}));
  const mentions = stage.readers.map(({id}) => `[@x](mention:${id})`).join(' ');
  const body = {standup, format: 'markdown', text: `${mentions} first 0`};
  await stage.request('POST', '/v1/comments', {key: 'comment-0', body});
  await stage.endReadingTime();
  for (const reader of stage.readers.filter(({channel}) => channel === 'slack'))
    await until(async () => (await listDirect(stage, reader)).length > 0, {what: 'a notice', everyMs: 200});
  return conversations;
}

/** People comment twice on a standup, and mention a reader of each channel, while a process dies. */
async function playRound(
  stage: SlackStage,
  chance: Chance,
  round: number,
  death: Death,
): Promise<Conversation[]> {
  const {processes, readers: all} = stage;
  const own = [0, 1].map((i) => all[(2 * round + i) % all.length] as Reader);
  const send = (path: string, key: string, body: object) =>
    until(
      () =>
        stage
          .request('POST', path, {key, body, to: chance.pick(processes).service.url})
          .catch(() => undefined),
      {what: `${path} is carried out`, everyMs: 100},
    );
  const update = {team: 'platform', update: `standup ${round}`};
  const {id: standup} = await send('/v1/standups', `standup-${round}`, update);
  const conversations = own.map((reader) => ({standup, reader, last: ''}));
  const mentions = own.map(({id}) => `[@x](mention:${id})`).join(' ');
  const comment = async (said: string) => {
    const body = {standup, format: 'markdown', text: `${mentions} ${said}`};
    await send('/v1/comments', said.replaceAll(' ', '-'), body);
    for (const one of conversations) one.last = said;
  };
  const dying = chance.pick(processes);
  const dead = die(stage, dying, death);
  await comment(`first ${round}`);
  await stage.endReadingTime();
  if (chance.between(0, 1) === 1) await comment(`second ${round}`);
  await dead;
  const other = processes.find((one) => one !== dying) as SlackProcess;
  const isAlone = chance.between(0, 1) === 1;
  if (!isAlone) await other.service.kill();
  await stage.endReadingTime();
  await dying.service.restart();
  if (!isAlone) await other.service.restart();
  return conversations;
}

/** Finds violations of these rules: a person has one message for each conversation, and no other. */
async function findViolations(
  stage: SlackStage,
  smtp: TestSmtp,
  conversations: readonly Conversation[],
): Promise<string[]> {
  const mails = await listAll(stage.service.url, '/v1/mails', stage.token);
  const stateOf = new Map(mails.map(({id, state}) => [`<${id}@example.com>`, state]));
  const waiting = mails.filter(({state}) => state === 'queued').map(({id}) => `${id} waits`);
  const uncertain = mails.filter(({state}) => state === 'uncertain').length;
  const arrived = smtp.mails.map(({messageId}) => messageId);
  const repeated = arrived.filter((id, at) => arrived.indexOf(id) !== at);
  const unsure = [...stateOf].filter(([id, state]) => state === 'sent' && !arrived.includes(id));
  const found = await Promise.all(
    stage.readers.map(async (reader) => {
      const own = conversations.filter((one) => one.reader === reader);
      const messages =
        reader.channel === 'slack'
          ? await listDirect(stage, reader)
          : smtp.mails.filter(({to}) => to === reader.to).map(({raw}) => raw.replaceAll('=\r\n', ''));
      const of = ({standup}: Conversation) => messages.filter((message) => message.includes(standup));
      const mayMiss = reader.channel === 'mail' && uncertain > 0;
      return [
        ...(messages.length <= own.length ? [] : [`${reader.to} got ${messages.length} of ${own.length}`]),
        ...own.flatMap((one) => {
          const shown = of(one);
          if (shown.length !== 1 && !(mayMiss && shown.length === 0))
            return [`${reader.to} got ${shown.length} about ${one.last}`];
          // A mail is not edited: it says what was new when it was sent.
          const isLast = reader.channel === 'mail' || shown[0]?.includes(one.last);
          return isLast ? [] : [`${reader.to} was not shown ${one.last}: ${shown[0]}`];
        }),
      ];
    }),
  );
  const lost = conversations.filter(({reader}) => reader.channel === 'mail').length - arrived.length;
  return [
    ...waiting,
    ...repeated.map((id) => `${id} arrived twice`),
    ...unsure.map(([id]) => `${id} was sent and did not arrive`),
    ...(lost <= uncertain ? [] : [`${lost} mails did not arrive, and ${uncertain} are uncertain`]),
    ...found.flat(),
  ];
}

/** Lists the bot's messages to a person, the newest first: their text with their blocks. */
async function listDirect(stage: SlackStage, {to: users}: Reader): Promise<string[]> {
  const opened = await stage.callSlack<{channel: {id: string}}>('conversations.open', {users}, lookingToken);
  const history = {channel: opened.channel.id, limit: '999'};
  const {messages} = await stage.callSlack<{messages: {text: string; blocks?: unknown}[]}>(
    'conversations.history',
    history,
    botToken,
  );
  return messages.map(({text, blocks}) => `${text} ${JSON.stringify(blocks)}`);
}
