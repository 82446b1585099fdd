import {lists} from '../../src/domain/core/lists.js';
import {recordCommitOnce} from '../arms.js';
import {readCpuMicros} from '../machine.js';
import type {Arm} from '../method.js';
import {createSmallCommand, smallScript} from '../peers/small-script.js';
import {commonBody, connections, sendOnePost} from '../posts.js';
import {recordCommit} from '../recorded-commit.js';
import type {BenchRow} from '../row.js';
import {type Bench, type Build, openStage, type BenchStage} from '../stage.js';
import {createCommitTemplate} from '../template.js';

const work = 'the commit of a POST in Redis, all in, quiet, at a depth of 64';

/** Measures the cost of a commit in Redis: parsing the command, running the script, replying and logging. */
export const script: BenchRow = {
  service: createServiceScriptContender,
  peers: (bench) => [createCeilingScriptContender(bench), createSmallScriptContender(bench)],
  figures: [
    {metric: 'redisCpu', work, unit: 'µs', against: 'C', aim: {atMost: 1.3}},
    {metric: 'redisCpu', work, unit: 'µs', against: 'small C'},
  ],
  method: {warmUp: 0},
};

/** Returns the Redis command of the n-th commit. */
type CommandOf = (n: number) => readonly string[];

/**
 * Creates a measured implementation that sends nothing but commits to Redis, as many at a time as during a
 * load of posts.
 */
function createScriptContender(
  bench: Bench,
  name: string,
  options: {
    readonly list: (stage: BenchStage) => string | Promise<string>;
    /**
     * Returns a function that prepares commands. The function is called again when its commands have expired
     * (see `findCommandExpiry`).
     */
    readonly open: (stage: BenchStage) => Promise<() => Promise<CommandOf>>;
  },
): Arm {
  return {
    name,
    async open(closings) {
      const stage = await openStage(bench, closings);
      const [prepare, list] = [await options.open(stage), await options.list(stage)];
      let sent = 0;
      return {
        async measure(seconds) {
          let [events, micros, ms] = [0, 0, 0];
          while (ms < seconds * 1_000) {
            const commandOf = await prepare();
            const before = await stage.redis.zCard(list);
            const from = [readCpuMicros(stage.redisPid), performance.now()] as const;
            const [first, until] = [sent, findCommandExpiry()];
            const worker = async (): Promise<void> => {
              while (Date.now() < until) {
                sent += 1;
                await stage.redis.sendCommand([...commandOf(sent)]);
              }
            };
            await Promise.all(Array.from({length: connections}, worker));
            micros += readCpuMicros(stage.redisPid) - from[0];
            ms += performance.now() - from[1];
            events += sent - first;
            const added = (await stage.redis.zCard(list)) - before;
            if (added !== sent - first)
              throw new Error(`${name}: sent ${sent - first}, but stored ${added}.`);
          }
          return {events, redisCpu: micros / events};
        },
      };
    },
  };
}

/**
 * Returns when prepared commits expire (ms). They contain the current second, and ids that are valid for
 * 1,024 ms.
 */
function findCommandExpiry(): number {
  const now = Date.now();
  return Math.min(now - (now % 1_000) + 1_000, now - (now % 1_024) + 1_024);
}

function createServiceScriptContender(bench: Bench, build: Build): Arm {
  return createScriptContender(bench, build.name, {
    list: ({keys}) => keys.list(lists.standups()),
    async open(stage) {
      const server = await stage.startService(build, 'web');
      const post = {token: stage.token, body: commonBody};
      return async () => {
        const recording = await recordCommit(stage, () => sendOnePost(server, post));
        return createCommitTemplate(recording, recording.sha);
      };
    },
  });
}

function createCeilingScriptContender(bench: Bench): Arm {
  return createScriptContender(bench, 'C', {
    list: async () => (await recordCommitOnce(bench, bench.build)).list,
    async open({redis}) {
      const recording = await recordCommitOnce(bench, bench.build);
      await redis.hSet(recording.head, 'sequence', '0');
      const commandOf = createCommitTemplate(recording, await redis.scriptLoad(recording.bareScript));
      return async () => commandOf;
    },
  });
}

function createSmallScriptContender(bench: Bench): Arm {
  return createScriptContender(bench, 'small C', {
    list: () => '{ceiling}:l:all',
    async open({redis}) {
      const recording = await recordCommitOnce(bench, bench.build);
      const sha = await redis.scriptLoad(smallScript);
      return async () => (n) => {
        const id = `std_${String(n).padStart(26, '0')}`;
        return ['EVALSHA', sha, ...createSmallCommand(id, `bench-${n}`, recording.body)];
      };
    },
  });
}
