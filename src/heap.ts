import {performance} from 'node:perf_hooks';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

const quietMs = 500;
/** A share of the event loop's time. */
const quietShare = 0.1;
const maxChecks = 20;

/**
 * A full collection stops a process with one core for some 50 ms. With this setting it comes when there is
 * three times what the last one left; by V8's own rule it came every few seconds at 2,000 posts/s.
 *
 * `--no-memory-reducer`, which V8 reads only at its start, turns off the collections of quiet minutes. They
 * drop shapes of objects, and the compiled code that relies on them: the next posts cost four times as much.
 */
export function prepareHeap(): void {
  setFlagsFromString('--heap-growing-percent=200');
  releaseStartupMemory();
}

/**
 * V8 keeps room for the garbage of a start, some 40 MB. It is released in the first quiet moment, since that
 * takes a tenth of a second. A process that is busy for its first ten seconds needs the room.
 */
function releaseStartupMemory(): void {
  let last = performance.eventLoopUtilization();
  let left = maxChecks;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const {utilization} = performance.eventLoopUtilization(now, last);
    last = now;
    left -= 1;
    if (utilization < quietShare) collectGarbage();
    if (utilization < quietShare || left === 0) clearInterval(timer);
  }, quietMs);
  timer.unref();
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => void;
  gc({type: 'major', execution: 'sync', flavor: 'last-resort'});
}
