// Runs the built service with options for tests. STANDUP_TEST_CLOCK=1: the service uses the test's clock in
// its database. At an armed failpoint the process kills itself with -9, or freezes.
// STANDUP_TEST_FAILPOINT=NAME:N arms the failpoint NAME for the N-th time that its step is reached. The
// message {name, hit, signal} arms a failpoint at any time; `{reached: name}` is sent just before the signal.
// STANDUP_TEST_COMPOSED is JSON of further options of composeService that only tests set.
import {composeService} from '../../dist/compose.js';
import {createShutdownList, createLog} from '../../dist/compose-core.js';
import {parseConfig} from '../../dist/config/config.js';
import {followClock} from './follow-clock.mjs';

const [name, count] = (process.env.STANDUP_TEST_FAILPOINT ?? '').split(':');
let armed = {name, hit: Number(count), signal: 'SIGKILL'};

process.on('message', (message) => {
  armed = message;
});
process.channel?.unref();

const closings = createShutdownList();
const {config, secrets} = parseConfig(process.env);
const log = createLog(config, closings);
await composeService({
  config,
  secrets,
  log,
  closings,
  version: 'test',
  webFolder: new URL('../../dist/web/', import.meta.url),
  ...JSON.parse(process.env.STANDUP_TEST_COMPOSED ?? '{}'),
  ...(process.env.STANDUP_TEST_CLOCK && {time: await followClock(secrets)}),
  failpoint(reached) {
    if (reached !== armed.name) return;
    armed.hit -= 1;
    if (armed.hit !== 0) return;
    process.send?.({reached});
    process.kill(process.pid, armed.signal);
  },
  // SIGTERM may arrive as soon as the service reports that it is ready, as in src/serve.ts.
  onOpen(service) {
    process.once('SIGTERM', () => {
      service
        .drain()
        .then(() => closings.run())
        .then(
          () => process.exit(0),
          (error) => {
            process.stderr.write(`${error?.stack ?? error}\n`);
            process.exit(1);
          },
        );
    });
  },
});
log.info({}, 'started');
