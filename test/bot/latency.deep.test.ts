import {afterAll, expect, test} from '@jest/globals';
import type {Standup} from '../../src/domain/standups/standup.js';
import {standardTimeouts} from '../../src/bot/slack/core/timeouts.js';
import {en} from '../../src/bot/texts/compiled/en.js';
import {testRedisUrl} from '../support/redis-server.js';
import {type SlackHarness, startSlack} from '../support/slack-harness.js';
import {type SlowRedis, startSlowRedis} from '../support/slow-redis.js';
import {until} from '../support/until.js';
import {type Interaction, interactions, type InteractionScene} from './interactions.js';

/** One by default; `PRINT_LATENCY=1 ROUNDS=50 npm test -- test/bot/latency` prints the times of more. */
const rounds = Number(process.env['ROUNDS'] ?? 1);
const delays = [0, 1_000, 5_000] as const;
/** Slack's limit for an answer, and the life of a trigger. */
const slackWaitsMs = 3_000;
const preparedAtOnce = 5;
/** A number of people at which the bot is measured, and not the machine of the tests. */
const measuredAtOnce = 12;

interface Timing {
  readonly interaction: Interaction;
  readonly answeredMs: number;
  /**
   * Time until the person saw a view or a private message; undefined where the answer was the only result.
   */
  readonly seenMs: number | undefined;
}

const measured = new Map<number, Timing[]>();

afterAll(() => {
  if (process.env['PRINT_LATENCY'] === '1') process.stderr.write(table());
});

test.each(delays)(
  'every interaction is answered within 3 s with correct data when Redis is %i ms late',
  async (delayMs) => {
    const redisUrl = await testRedisUrl();
    const redis = await startSlowRedis(redisUrl);
    const slack = await startSlack({redisUrl, botRedisUrl: redis.url, timeouts: standardTimeouts});
    try {
      const took: Timing[] = [];
      measured.set(delayMs, took);
      for (let round = 0; round < rounds; round++) took.push(...(await play(slack, redis, delayMs, round)));
      expect(slack.slack.limitViolations).toEqual([]);
      const slowest = took.map(
        ({interaction, answeredMs, seenMs = 0}) => [interaction.name, answeredMs, seenMs] as const,
      );
      expect(slowest.filter(([, answeredMs, seenMs]) => Math.max(answeredMs, seenMs) > slackWaitsMs)).toEqual(
        [],
      );
    } finally {
      redis.delay(0);
      redis.release();
      await slack.close();
      await redis.close();
    }
  },
  180_000 + rounds * 20_000,
);

/** All interactions, each by its own person. */
async function play(
  slack: SlackHarness,
  redis: SlowRedis,
  delayMs: number,
  round: number,
): Promise<Timing[]> {
  const scenes: [Interaction, InteractionScene][] = [];
  const prepare = async (interaction: Interaction, i: number): Promise<[Interaction, InteractionScene]> => {
    const person = {id: `U${delayMs}R${round}I${i}`, name: `person-${i}`};
    const scene = {slack, person, text: `what ${person.id} did.`, trigger: await slack.trigger()};
    await interaction.prepare?.(scene);
    return [interaction, scene];
  };
  for (let i = 0; i < interactions.length; i += preparedAtOnce) {
    const some = interactions.slice(i, i + preparedAtOnce);
    scenes.push(...(await Promise.all(some.map((interaction, n) => prepare(interaction, i + n)))));
  }
  slack.slack.clear();
  redis.delay(delayMs);
  const took: Timing[] = [];
  for (let i = 0; i < scenes.length; i += measuredAtOnce) {
    const some = scenes.slice(i, i + measuredAtOnce);
    took.push(...(await Promise.all(some.map(([interaction, scene]) => measure(interaction, scene)))));
  }
  redis.delay(0);
  redis.release();
  await checkFilled(slack);
  await checkSaved(slack, scenes);
  return took;
}

async function measure(interaction: Interaction, scene: InteractionScene): Promise<Timing> {
  const began = performance.now();
  const reply = await interaction.send(scene);
  const answeredMs = performance.now() - began;
  try {
    expect(reply.status).toBe(200);
    scene.reply = reply;
    const seenAt = await interaction.sees(scene, reply);
    return {interaction, answeredMs, seenMs: seenAt === undefined ? undefined : seenAt - began};
  } catch (error) {
    throw new Error(`${interaction.name}: ${String(error)}; answered ${reply.status} ${reply.text}`, {
      cause: error,
    });
  }
}

/** Checks that every view that was opened empty is filled once Redis has answered. */
async function checkFilled({slack}: SlackHarness): Promise<void> {
  const opened = slack.of('views.open').map(({body, reply}) => ({
    view: JSON.stringify(body['view']),
    id: (reply as {view?: {id: string}} | undefined)?.view?.id,
  }));
  const empty = opened.filter(({view, id}) => view.includes(en.form.loading) && id !== undefined);
  const filled = () => new Set(slack.of('views.update').map(({body}) => body['view_id']));
  await until(() => empty.every(({id}) => filled().has(id)), {what: 'loading views are filled'});
}

/** Checks the stated outcomes against the saved texts, once all traffic has arrived. */
async function checkSaved(
  slack: SlackHarness,
  scenes: readonly [Interaction, InteractionScene][],
): Promise<void> {
  const untrue = async () => {
    const all = await listStandups(slack);
    return scenes.flatMap(([{name, saves}, {text, reply}]) => {
      if (saves === undefined || reply === undefined) return [];
      const said = saves(reply);
      const count = all.filter(({update}) => update.includes(text)).length;
      const holds = said === 'saved' ? count === 1 : said === 'not saved' ? count === 0 : count <= 1;
      return holds ? [] : [`${name}: said ${said}, there ${count} times: ${reply.text}`];
    });
  };
  expect(await untrue()).toEqual([]);
}

async function listStandups({core, operator}: SlackHarness): Promise<Standup[]> {
  const all: Standup[] = [];
  for (let past: number | undefined; ; ) {
    const page = await core.services.standups.listStandups(operator(), {limit: 100, past});
    all.push(...page.rows.map((row) => JSON.parse(row) as Standup));
    past = page.next;
    if (past === undefined) return all;
  }
}

function table(): string {
  const at = (times: number[], share: number) => {
    const sorted = times.toSorted((a, b) => a - b);
    return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
  };
  const head = delays.flatMap((ms) => [`${ms / 1_000} s p50`, 'p99', 'seen p99']);
  const rows = interactions.map(({name}) => {
    const cells = delays.flatMap((ms) => {
      const own = (measured.get(ms) ?? []).filter(({interaction}) => interaction.name === name);
      const answered = own.map(({answeredMs}) => answeredMs);
      const seen = own.flatMap(({seenMs}) => (seenMs === undefined ? [] : [seenMs]));
      return [at(answered, 0.5), at(answered, 0.99), seen.length === 0 ? '' : at(seen, 0.99)];
    });
    return `| ${name} | ${cells.join(' | ')} |`;
  });
  const rule = `|---|${head.map(() => '---').join('|')}|`;
  return `\nms of ${rounds} rounds\n| interaction | ${head.join(' | ')} |\n${rule}\n${rows.join('\n')}\n`;
}
