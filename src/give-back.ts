import {performance} from 'node:perf_hooks';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

const quietMs = 500;
/** Of the time of the event loop. */
const quietShare = 0.1;
const looks = 60;

/**
 * A start leaves as much garbage as it leaves objects, and room for twice as much that V8 keeps from then on: some
 * 40 MB. It is given back once, in the first quiet moment, since it takes a tenth of a second. A process
 * that is busy from its first half minute on needs the room.
 */
export function giveBackMemory(): void {
  let last = performance.eventLoopUtilization();
  let left = looks;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const {utilization} = performance.eventLoopUtilization(now, last);
    last = now;
    left -= 1;
    if (utilization < quietShare) collect();
    if (utilization < quietShare || left === 0) clearInterval(timer);
  }, quietMs);
  timer.unref();
}

/** Node 20 knows no thorough collection, and makes a small one of it. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => void;
  gc({type: 'major', execution: 'sync', flavor: 'last-resort'});
}
