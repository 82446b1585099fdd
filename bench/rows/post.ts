import {compare, type Figure, interleave, percentile, single, spread} from '../figures.js';
import {measureLatencies, measurePosts, type PostArm, startCeiling} from '../posts.js';
import {type Bench, type Stage, withStage} from '../stage.js';

const everythingOn = 'POST, everything on, 64 connections';

/** The request path against the least that could do the same work. */
export function benchPost(bench: Bench): Promise<Figure[]> {
  return withStage(bench, {}, async (stage) => {
    const service = await startPostArm(stage, 'web');
    const ceiling = await startCeiling(stage, () => stage.token);
    const arms = [service, ceiling].map(
      (arm) => (round: number) => measurePosts(arm, secondsOf(bench, round)),
    );
    const [ours = [], theirs = []] = await interleave(bench.rounds, arms);
    return [
      compare([ours, theirs], ({perSecond}) => perSecond, {
        work: everythingOn,
        unit: '/s',
        against: 'C',
        goal: {atLeast: 0.85, failBelow: 0.65},
      }),
      compare([ours, theirs], ({cpuMicros}) => cpuMicros, {
        work: `${everythingOn}, CPU per request`,
        unit: 'µs',
        against: 'C',
        goal: {atMost: 1.5},
      }),
    ];
  });
}

/** The same with the worker in the process, which then makes the deliveries of each event on the same core. */
export function benchPostAndWork(bench: Bench): Promise<Figure[]> {
  return withStage(bench, {}, async (stage) => {
    const service = await startPostArm(stage, 'web,worker');
    const ceiling = await startCeiling(stage, () => stage.token);
    const arms = [service, ceiling].map(
      (arm) => (round: number) => measurePosts(arm, secondsOf(bench, round)),
    );
    const [ours = [], theirs = []] = await interleave(bench.rounds, arms);
    return [
      compare([ours, theirs], ({perSecond}) => perSecond, {
        work: 'POST, everything on, with the worker in the same process',
        unit: '/s',
        against: 'C',
      }),
    ];
  });
}

const openLoopRate = 2_000;

/** How long a POST takes when the rate is given and not taken. */
export function benchOpenLoop(bench: Bench): Promise<Figure[]> {
  return withStage(bench, {}, async (stage) => {
    const service = await startPostArm(stage, 'web');
    const ceiling = await startCeiling(stage, () => stage.token);
    const arms = [service, ceiling].map((arm) => async (round: number) => {
      const {latencies} = await measureLatencies(arm, openLoopRate, secondsOf(bench, round));
      return {p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99)};
    });
    const [ours = [], theirs = []] = await interleave(bench.rounds, arms);
    const line = (part: 'p50' | 'p99', goal: {atMost?: number}): Figure => ({
      ...single(
        ours.map((sample) => sample[part]),
        {work: `POST, open loop at ${openLoopRate}/s, ${part}`, unit: 'ms', ...goal},
      ),
      against: {name: 'C', value: spread(theirs.map((sample) => sample[part]))},
    });
    return [line('p50', {}), line('p99', {atMost: 5})];
  });
}

/** What one build costs against the one that people write first. */
export function benchObvious(bench: Bench): Promise<Figure[]> {
  return withStage(bench, {}, async (stage) => {
    const service = await startPostArm(stage, 'web');
    const keys = (await stage.core.signingKeys.published()).map(({jwk}) => jwk);
    const peer = await stage.startPeer('obvious', {
      JWKS: JSON.stringify({keys}),
      ISSUER: `urn:standup:${stage.core.store.installation.id}`,
    });
    const obvious: PostArm = {
      name: 'the obvious build',
      ...peer,
      stored: () => stage.redis.zCard('standups'),
      token: () => stage.token,
    };
    const arms = [service, obvious].map(
      (arm) => (round: number) => measurePosts(arm, secondsOf(bench, round)),
    );
    const [ours = [], theirs = []] = await interleave(bench.rounds, arms);
    return [
      compare([ours, theirs], ({perSecond}) => perSecond, {
        work: everythingOn,
        unit: '/s',
        against: 'the obvious build',
        goal: {atLeast: 4.5},
      }),
    ];
  });
}

/** The price of never losing what was acknowledged. */
export function benchFsync(bench: Bench): Promise<Figure[]> {
  return withStage(bench, {}, (always) =>
    withStage(bench, {appendfsync: 'everysec'}, async (everysec) => {
      const services = [await startPostArm(always, 'web'), await startPostArm(everysec, 'web')];
      const arms = services.map((arm) => (round: number) => measurePosts(arm, secondsOf(bench, round)));
      const [ours = [], theirs = []] = await interleave(bench.rounds, arms);
      return [
        compare([ours, theirs], ({perSecond}) => perSecond, {
          work: 'POST with `appendfsync always`',
          unit: '/s',
          against: 'itself with `everysec`',
          goal: {atLeast: 0.9},
        }),
      ];
    }),
  );
}

/** The round that warms up is longer: a process compiles itself during its first thousands of requests. */
function secondsOf({seconds}: Bench, round: number): number {
  return round === 0 ? 2 * seconds : seconds;
}

export async function startPostArm(
  stage: Stage,
  roles: string,
  token: PostArm['token'] = () => stage.token,
): Promise<PostArm> {
  return {name: 'the service', ...(await stage.startService(roles)), stored: stage.stored, token};
}
