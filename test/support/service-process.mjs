// The built service with one failpoint armed: the process kills itself with -9 when it gets there.
// STANDUP_TEST_FAILPOINT=NAME:N means the N-th time that step is reached.
import {composeService} from '../../dist/compose.js';
import {createClosings, createLog} from '../../dist/compose-core.js';
import {parseConfig} from '../../dist/config.js';

const [name, count] = process.env.STANDUP_TEST_FAILPOINT.split(':');
let left = Number(count);

const closings = createClosings();
const {config, secrets} = parseConfig(process.env);
await composeService({
  config,
  secrets,
  log: createLog(config.logLevel, closings),
  closings,
  version: 'test',
  failpoint(reached) {
    if (reached !== name) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  },
});
