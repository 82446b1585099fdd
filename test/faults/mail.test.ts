import {afterEach, expect, it} from '@jest/globals';
import {randomInt} from 'node:crypto';
import {setTimeout as pause} from 'node:timers/promises';
import {deep} from '../support/deep.js';
import {type Chance, createChance} from '../support/seeded-random.js';
import type {ServiceProcess} from '../support/service-process.js';
import {until, withTimeout} from '../support/until.js';
import {report} from './audit.js';
import {mailLeaseMs, type MailStage, setMailStage} from './mail-stage.js';

/** Numbers of mails and failures, set by `npm run faults -- mail`. */
const mails = Number(process.env['MAIL_FAULT_MAILS'] ?? (deep ? 60 : 9));
const kills = Number(process.env['MAIL_FAULT_KILLS'] ?? (deep ? 15 : 3));
const seed = Number(process.env['MAIL_FAULT_SEED'] ?? randomInt(2 ** 31));
/** A mail that the server refuses for now waits for a minute, which only a long run can afford. */
const isLong = kills > 15;

interface Failure {
  readonly name: string;
  /** Lets processes fail while they send the mails that `queue` adds. Resolves when all of them run again. */
  strike(stage: MailStage, queue: () => Promise<void>, chance: Chance): Promise<void>;
}

/** The steps of sending a mail at which a process dies or freezes. */
const steps = [
  'before-mail-claim',
  'after-mail-claim',
  'before-mail-mark',
  'after-mail-mark',
  'mail-answered',
  'before-mail-record',
  'after-mail-record',
];

/** Stops the process that reaches a step first, and seldom both. Returns those that were stopped. */
async function stopAt(
  {workers, releaseScheduler}: MailStage,
  queue: () => Promise<void>,
  name: string,
  signal: 'SIGKILL' | 'SIGSTOP',
): Promise<ReadonlySet<ServiceProcess>> {
  const stopped = new Set<ServiceProcess>();
  const reached = workers.map(async (worker) => {
    await worker.arm({name, hit: 1, signal});
    stopped.add(worker);
  });
  await queue();
  await withTimeout(Promise.race(reached), `a process reaches ${name}`);
  for (const other of workers)
    if (!stopped.has(other)) void other.current().ask({name: 'none', hit: 1, signal});
  await releaseScheduler();
  return stopped;
}

const failures: readonly Failure[] = [
  ...steps.map((step) => ({
    name: `kill -9 at ${step}`,
    async strike(stage: MailStage, queue: () => Promise<void>) {
      const stopped = await stopAt(stage, queue, step, 'SIGKILL');
      for (const worker of stopped) await worker.restart();
    },
  })),
  ...steps.map((step) => ({
    name: `frozen past the lease at ${step}`,
    async strike(stage: MailStage, queue: () => Promise<void>) {
      const stopped = await stopAt(stage, queue, step, 'SIGSTOP');
      await pause(2 * mailLeaseMs);
      for (const worker of stopped) worker.current().signal('SIGCONT');
    },
  })),
  ...[1, 2, 3].map((count) => ({
    name: `kill -9 at any time (${count})`,
    async strike({workers}: MailStage, queue: () => Promise<void>, chance: Chance) {
      await queue();
      await pause(chance.between(0, 200));
      const worker = chance.pick(workers);
      await worker.kill();
      await worker.restart();
    },
  })),
  {
    name: 'kill -9 of Redis',
    async strike({store, list}, queue, chance) {
      await queue();
      await pause(chance.between(0, 100));
      await store.kill();
      await store.restart();
      await store.waitForReplicas();
      // Mails are queued again after the store has answered.
      await list();
    },
  },
];

let stage: MailStage | undefined;
afterEach(() => stage?.close());

it(
  `after ${kills} failures at any step each mail has arrived once, or is marked as uncertain and has arrived at most once`,
  async () => {
    report('crash suite of mail', {seed, mails, kills});
    const chance = createChance(seed);
    const opened = (stage = await setMailStage());
    const refused = new Set<string>();
    opened.smtp.behave((step, to) => {
      if (step === 'end' && chance.between(1, 20) === 1) return chance.pick(['die', 'lost']);
      if (!isLong || step !== 'recipient' || refused.has(to) || chance.between(1, 10) > 1) return undefined;
      refused.add(to);
      return {code: 451, text: 'greylisted'};
    });
    const remaining: Failure[] = [];
    const struck: string[] = [];
    for (let done = 0; done < kills; done++) {
      if (remaining.length === 0) remaining.push(...chance.shuffle(failures));
      const failure = remaining.pop() as Failure;
      struck.push(failure.name);
      const own = Math.floor((mails * (done + 1)) / kills) - opened.queued.length;
      try {
        await failure.strike(opened, () => opened.queue(own), chance);
      } catch (error) {
        throw new Error(`seed ${seed}, after ${struck.join(', then ')}: ${String(error)}`, {cause: error});
      }
    }
    const countQueued = async () => (await opened.list()).filter(({mail}) => mail.state === 'queued').length;
    await until(async () => (await countQueued()) === 0, {
      what: `all mails are over (seed ${seed}: ${struck.join(', then ')})`,
      withinMs: isLong ? 180_000 : 30_000,
      everyMs: 200,
    });

    const found = await opened.list();
    const arrived = opened.smtp.mails.map(({messageId}) => messageId);
    const countOf = (id: string) => arrived.filter((one) => one === id).length;
    const wrong = found
      .filter(({mail: {state}, messageId}) => {
        const count = countOf(messageId);
        return !(state === 'sent' ? count === 1 : state === 'uncertain' && count <= 1);
      })
      .map(({mail: {state, to}, messageId}) => `${to}: ${state}, arrived ${countOf(messageId)} times`);
    const byState = Object.groupBy(found, ({mail}) => mail.state);
    report('crash suite of mail', {
      mails: found.length,
      sent: byState.sent?.length ?? 0,
      uncertain: byState.uncertain?.length ?? 0,
      'uncertain and arrived': (byState.uncertain ?? []).filter(({messageId}) => countOf(messageId) === 1)
        .length,
      'refused for now': refused.size,
    });
    expect({wrong, seed, struck: wrong.length > 0 ? struck : []}).toEqual({wrong: [], seed, struck: []});
    const known = new Set(found.map(({messageId}) => messageId));
    expect(arrived.filter((id) => !known.has(id))).toEqual([]);
  },
  120_000 + 15_000 * kills,
);
