import {performance} from 'node:perf_hooks';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

const quietMs = 500;
/** Of the time of the event loop. */
const quietShare = 0.1;
const looks = 20;

/**
 * A full collection holds up a process with one core by some 50 ms. It comes when there is three times what
 * the last one left; by V8's own measure it came every few seconds at 2,000 posts/s.
 *
 * Those of quiet minutes are off by `--no-memory-reducer`, which V8 takes at its start alone: they forget
 * shapes of objects, and with them the compiled code that relies on them. The next posts cost four times as
 * much.
 */
export function prepareHeap(): void {
  setFlagsFromString('--heap-growing-percent=200');
  giveBackOnce();
}

/**
 * A start leaves as much garbage as it leaves objects, and room for twice as much that V8 keeps from then on: some
 * 40 MB. It is given back in the first quiet moment, since it takes a tenth of a second. A process
 * that is busy from its first ten seconds on needs the room.
 */
function giveBackOnce(): void {
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

function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => void;
  gc({type: 'major', execution: 'sync', flavor: 'last-resort'});
}
