import {spawn} from 'node:child_process';
import path from 'node:path';
import {runLauncher, StopError} from './console.mjs';
import {engineNames, ensureEngine} from './engines.mjs';
import {root} from './paths.mjs';

/**
 * The suites, each with its test files and options. Each option has a default number, and an environment
 * variable that the tests read.
 */
const suites = {
  all: {tests: 'test/faults', options: {rounds: ['FAULT_ROUNDS', 10]}},
  webhooks: {tests: 'test/faults/webhooks.test.ts', options: {rounds: ['WEBHOOK_FAULT_ROUNDS', 100]}},
  slack: {tests: 'test/faults/slack', options: {rounds: ['SLACK_FAULT_ROUNDS', 50]}},
  mail: {
    tests: 'test/faults/mail.test.ts',
    options: {mails: ['MAIL_FAULT_MAILS', 200], kills: ['MAIL_FAULT_KILLS', 50]},
  },
  import: {
    tests: 'test/faults/import.test.ts',
    options: {rows: ['IMPORT_FAULT_ROWS', 10_000], kills: ['IMPORT_FAULT_KILLS', 50]},
  },
  'set-back': {tests: 'test/faults/set-back.test.ts', options: {rounds: ['SET_BACK_ROUNDS', 20]}},
  failover: {
    tests: 'test/faults/failover.test.ts',
    options: {rounds: ['FAILOVER_ROUNDS', 50], confirm: ['FAILOVER_CONFIRM', 0]},
  },
  'first-copy': {tests: 'test/faults/first-copy.deep.test.ts', options: {rounds: ['FIRST_COPY_ROUNDS', 10]}},
  reshard: {
    tests: 'test/faults/reshard.deep.test.ts',
    options: {rounds: ['RESHARD_ROUNDS', 10], keys: ['RESHARD_KEYS', 0]},
  },
  store: {tests: 'test/store', options: {}},
  schedules: {
    tests: 'test/faults/schedules.test.ts',
    options: {days: ['SCHEDULE_DAYS', 91], kills: ['SCHEDULE_KILLS', 100]},
  },
  walk: {
    tests: 'test/api/openapi/random-walk.test.ts',
    options: {steps: ['WALK_STEPS', 10_000], seed: ['WALK_SEED', 20_261_123]},
  },
  roles: {
    tests: 'test/api/tokens/role-walk.test.ts',
    options: {steps: ['ROLE_WALK_STEPS', 5_000], seed: ['ROLE_WALK_SEED', 31_001]},
  },
  bursts: {tests: 'test/faults/bursts.deep.test.ts', options: {posts: ['BURST_POSTS', 20_000]}},
  memory: {
    tests: 'test/faults/memory-bound.deep.test.ts',
    options: {deliveries: ['MEMORY_DELIVERIES', 100_000]},
  },
  versions: {tests: 'test/faults/versions.deep.test.ts', options: {minutes: ['VERSION_MINUTES', 10]}},
  hostile: {
    tests: 'test/faults/hostile-clients.test.ts',
    options: {connections: ['HOSTILE_CONNECTIONS', 10_000]},
  },
};

const kinds = ['single', 'sentinel', 'cluster'];

const usage = Object.entries(suites)
  .map(([name, {options}]) => {
    const some = Object.keys(options).map((option) => ` [--${option} N]`);
    return `npm run faults -- ${name === 'all' ? '[all]' : name}${some.join('')}`;
  })
  .concat(`with any of them: [--store ${kinds.join('|')}] [--engine ${engineNames.join('|')}]`)
  .join('\n       ');

/**
 * `npm run faults -- --rounds N`: only the tests of injected failures, with N times 20 kills of the service
 * and of Redis (N: 10), and their counts.
 * `npm run faults -- webhooks --rounds N`: the crash suite of webhooks with N rounds (N: 100).
 * `npm run faults -- slack --rounds N`: N messages (N: 50) whose poster is killed five times each, and N
 * posts to a process that is killed while another one posts to the channel.
 * `npm run faults -- mail --mails N --kills M`: N mails (N: 200) by two processes that fail M times (M: 50).
 * `npm run faults -- import --rows N --kills M`: N rows (N: 10000) of history, whose service is killed M times
 * (M: 50), and every second time its client too; then it is taken back during kills.
 * `npm run faults -- set-back --rounds N`: a store that is set back N times (N: 20) under two processes.
 * `npm run faults -- failover --rounds N`: a master is killed and frozen in turn, N times (N: 50).
 * `--confirm C`: C replicas confirm each change.
 * `npm run faults -- first-copy --rounds N`: a replica is promoted during its first copy N times (N: 10), with
 * and without confirmation.
 * `npm run faults -- reshard --rounds N --keys K`: all slots of a master move to a new one under load, N times
 * (N: 10). Each workspace has K keys (K: 0) beside its own. An engine with both ways takes them in turn,
 * unless the environment variable RESHARD_WAY names one: keys or atomic.
 * `npm run faults -- store`: the tests of the store, for another engine.
 * `--engine NAME` runs any of them on another server than the installed one: redis-8 or valkey-9.
 * `npm run faults -- schedules --days N --kills M`: N days (N: 91) of 50 teams and 500 people, in which two
 * processes are killed M times (M: 100).
 * `npm run faults -- walk --steps N --seed S`: a member with every scope takes N steps (N: 10000).
 * `npm run faults -- roles --steps N --seed S`: roles of people change for N steps (N: 5000) while
 * credentials are created for them.
 * `npm run faults -- bursts --posts N`: N posts (N: 20000) at full speed, to 1, 3 and 20 webhooks.
 * `npm run faults -- memory --deliveries N`: the memory left over by N deliveries (N: 100000).
 * `npm run faults -- versions --minutes N`: an earlier build and this one on one store, killed in turn, while runs
 * open in N minutes (N: 10). The environment variable VERSIONS_BASE names the commit of the earlier build.
 * `npm run faults -- hostile --connections N`: the cost of a client that sends without reading, of bodies
 * with errors everywhere, and of N idle connections (N: 10000).
 * Each takes `--store KIND`: single, sentinel or cluster. Without it, those that `npm test` runs on each kind
 * do so here, and the others run on one Redis.
 */
await runLauncher(async () => {
  const args = process.argv.slice(2);
  const name = args[0] === undefined || args[0].startsWith('--') ? 'all' : args.shift();
  const suite = Object.hasOwn(suites, name) ? suites[name] : undefined;
  if (suite === undefined) throw new StopError(`Usage: ${usage}`);
  const [kind, engine] = ['--store', '--engine'].map((flag) => {
    const at = args.indexOf(flag);
    return at < 0 ? undefined : (args.splice(at, 2)[1] ?? '');
  });
  if (kind !== undefined && !kinds.includes(kind)) throw new StopError(`Usage: ${usage}`);
  const counts = Object.fromEntries(Object.values(suite.options));
  for (let i = 0; i < args.length; i += 2) {
    const [variable] = suite.options[args[i].replace(/^--/, '')] ?? [];
    const count = Number(args[i + 1]);
    if (variable === undefined || !Number.isInteger(count) || count < 1) {
      throw new StopError(`Usage: ${usage}`);
    }
    counts[variable] = count;
  }
  const env = {...process.env};
  if (kind) env['FAULT_STORE'] = kind;
  if (engine !== undefined) env['REDIS_SERVER_BIN'] = ensureEngine(engine);
  for (const [variable, count] of Object.entries(counts)) env[variable] = String(count);
  // Test files run one at a time, because the tests also measure time.
  const child = spawn(
    process.execPath,
    [path.join(root, 'scripts', 'test.mjs'), '--runInBand', suite.tests],
    {cwd: root, env, stdio: 'inherit'},
  );
  process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
});
