import {spawn} from 'node:child_process';
import path from 'node:path';
import {runLauncher, say, StopError} from './console.mjs';
import {engineNames, ensureEngine} from './engines.mjs';
import {root} from './paths.mjs';
import {kinds, listSkipped, suites} from './testing/failure-tests.mjs';

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
 * `npm run faults -- replies --kills N`: comments by the API and replies typed in Slack, in the same threads,
 * while the two processes that serve them are killed N times (N: 50).
 * `npm run faults -- notices --kills N`: comments of which people are notified in Slack or by mail, while the
 * two processes that send the messages are killed N times (N: 50).
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
 * `npm run faults -- away --rounds N`: the store is killed and frozen for 3, 12 and 35 seconds, whatever N is.
 * Each takes `--store KIND`: single, sentinel or cluster. Test files that make no sense there are skipped, and
 * named with the reason. Without it, those that `npm test` runs on each kind do so here, and the others run on
 * one Redis.
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
  const skipped = kind === undefined ? [] : listSkipped(suite, kind);
  for (const {tests, reason} of skipped) say(`Skipped on the store ${kind}: ${tests} (${reason})`);
  if (skipped.some(({tests}) => suite.tests.startsWith(tests))) return;
  const without = skipped.flatMap(({tests}) => ['--testPathIgnorePatterns', tests]);
  // Test files run one at a time, because the tests also measure time.
  const child = spawn(
    process.execPath,
    [path.join(root, 'scripts', 'test.mjs'), '--runInBand', suite.tests, ...without],
    {cwd: root, env, stdio: 'inherit'},
  );
  process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
});
