import {afterEach, expect, it} from '@jest/globals';
import {randomInt} from 'node:crypto';
import {deep} from '../support/deep.js';
import {createChance} from '../support/seeded-random.js';
import {report} from './audit.js';
import {differences, expectedDigests, expectedRuns, readDigests, readRuns} from './schedules-audit.js';
import {generatePlan} from './schedules-plan.js';
import {generateKills, perform, rehearse, type PlayScript} from './schedules-play.js';
import {type ScheduleStage, setScheduleStage} from './schedules-stage.js';

/** Number of simulated days, set by `npm run faults -- schedules --days N --kills N`; few in `npm test`. */
const days = Number(process.env['SCHEDULE_DAYS'] ?? (deep ? 2 : 1));
const kills = Number(process.env['SCHEDULE_KILLS'] ?? (deep ? 2 : 1));
const seed = Number(process.env['SCHEDULE_SEED'] ?? randomInt(2 ** 31));
const isWhole = days > 7;

const dayMs = 24 * 3_600_000;
/** A Sunday. In the next 91 days clocks change in New York, Berlin, Sydney, Santiago and Cairo. */
const startAt = Date.parse('2027-02-21T12:00Z');
const startsOn = '2027-02-22';

let stage: ScheduleStage | undefined;

afterEach(() => stage?.close());

it(
  'each prompt, opening, closing and digest comes once, and no absent member is prompted, whatever changes and whichever process is killed',
  async () => {
    const chance = createChance(seed);
    const size = isWhole ? {teams: 50, people: 500} : {teams: 8, people: 24};
    const plan = generatePlan(chance, {...size, days, startsOn});
    const time = [startAt, startAt + days * dayMs] as const;
    const some = isWhole ? {moments: 3 * days, actionsAtOnce: 5} : {moments: 3, actionsAtOnce: 5};
    const script: PlayScript = {plan, seed, time, startsOn, ...some};
    const {instants} = await rehearse(script);
    const plannedKills = generateKills(chance, instants, kills);
    report('simulated time', {seed, days, kills, ...size, instants: instants.length});
    report('struck', countEach(plannedKills.values()));

    stage = await setScheduleStage(plan, startAt);
    const played = await perform(script, stage, plannedKills, (at) =>
      report('played until', {[new Date(at).toISOString()]: `(${stage?.sent.length} sent)`}),
    );
    const {oracle, actions} = played;
    report('done on the way', Object.fromEntries([...actions].toSorted()));

    const seen = new Map<string, number>();
    for (const {user, date} of stage.sent)
      seen.set(`${user} ${date}`, (seen.get(`${user} ${date}`) ?? 0) + 1);
    /** Expected number of notifications of each person on each day. */
    const expected = new Map<string, number>();
    for (const [key, prompt] of oracle.prompts) {
      const times = prompt.pings.length;
      const oneMore = oracle.either.has(prompt) && seen.get(key) === times + 1;
      if (times > 0 || oneMore) expected.set(key, oneMore ? times + 1 : times);
    }
    const late = stage.sent.map(({user, date, at}) => {
      const due = oracle.prompts.get(`${user} ${date}`)?.pings.findLast((ping) => ping <= at);
      return due === undefined ? 0 : at - due;
    });
    const runs = expectedRuns(oracle);
    const [shownRuns, shownDigests] = [await readRuns(stage, plan), readDigests(stage, plan)];
    const digests = expectedDigests(oracle);
    const inState = (state: string) => oracle.runs.filter((run) => run.state === state).length;
    const missed = [...expected].filter(([key, times]) => (seen.get(key) ?? 0) < times);
    for (const [key] of missed) {
      const [user = '', date = ''] = key.split(' ');
      const due = oracle.prompts.get(key)?.pings.map((at) => new Date(at).toISOString());
      report(`missed: ${key}, due ${due?.join()}`, await stage.readPrompt(user, date));
    }
    report('prompts', {
      expected: [...expected.values()].reduce((sum, times) => sum + times, 0),
      sent: stage.sent.length,
      missed: missed.length,
      doubled: [...seen].filter(([key, times]) => times > (expected.get(key) ?? times)).length,
      unexpected: [...seen.keys()].filter((key) => !expected.has(key)).length,
      'either is right': oracle.either.size,
      'latest (s)': Math.round(Math.max(0, ...late) / 1_000),
    });
    report('runs', {
      closed: inState('closed'),
      missed: inState('missed'),
      cancelled: inState('cancelled'),
      'with missed steps': oracle.runs.filter(({missed}) => missed.size > 0).length,
      'digests expected': Object.keys(digests).length,
      'digests shown': Object.keys(shownDigests).length,
      kills: played.kills,
    });
    // A single comparison, so that a failure shows every difference.
    expect({
      prompts: differences(Object.fromEntries(expected), Object.fromEntries(seen)),
      runs: differences(runs, shownRuns),
      digests: differences(digests, shownDigests),
    }).toEqual({prompts: {}, runs: {}, digests: {}});
    expect(stage.slack.limitViolations).toEqual([]);
  },
  isWhole ? 3 * 3_600_000 : 180_000 + 60_000 * days,
);

function countEach(names: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
