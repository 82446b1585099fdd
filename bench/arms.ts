import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {createShutdownList} from '../src/compose-core.js';
import {lists} from '../src/domain/core/lists.js';
import type {Arm, CountedSample, MeasuredProcess} from './method.js';
import {
  commonBody,
  measurePosts,
  type Post,
  sendOnePost,
  type PostTarget,
  update,
  warmUpWithPosts,
} from './posts.js';
import {recordCommit, type Recording} from './recorded-commit.js';
import {type Bench, type Build, openStage, type BenchStage} from './stage.js';

/**
 * Measures how a server handles posts. By default, each connection waits for the answer to a post before it
 * sends the next one.
 */
export type Measure = (target: PostTarget, seconds: number) => Promise<CountedSample>;

export interface ServiceArmOptions {
  readonly name?: string;
  readonly roles?: string;
  readonly appendfsync?: 'always' | 'everysec';
  /**
   * Creates the data for the posts before the service starts. By default, a service account sends the posts.
   */
  readonly prepare?: (stage: BenchStage) => Promise<() => Post>;
  readonly measure?: Measure;
  readonly env?: Readonly<Record<string, string>>;
}

export function createServiceContender(bench: Bench, build: Build, options: ServiceArmOptions = {}): Arm {
  const {
    name = build.name,
    roles = 'web',
    appendfsync,
    prepare = createPostGenerator,
    measure,
    env,
  } = options;
  return {
    name,
    async open(closings) {
      const stage = await openStage(bench, closings, appendfsync);
      const next = await prepare(stage);
      const server = await stage.startService(build, roles, env);
      return convertToMeasuredProcess(
        {name, server, stage, lists: [stage.keys.list(lists.standups())], next},
        measure,
      );
    },
  };
}

async function createPostGenerator({token}: BenchStage): Promise<() => Post> {
  const post = {token, body: commonBody};
  return () => post;
}

/**
 * Measures the fastest POST that is possible on this machine: the ceiling, called C in the tables
 * (peers/ceiling.ts).
 */
export function createCeilingContender(bench: Bench, measure?: Measure): Arm {
  return {
    name: 'C',
    async open(closings) {
      const recording = await recordCommitOnce(bench, bench.build);
      const file = path.join(bench.dataDir, 'recording.json');
      writeFileSync(file, JSON.stringify({...recording, update}));
      const stage = await openStage(bench, closings);
      const server = await stage.startPeer('ceiling', {RECORDING: file});
      const next = await createPostGenerator(stage);
      return convertToMeasuredProcess({name: 'C', server, stage, lists: [recording.list], next}, measure);
    },
  };
}

/** Measures the ceiling that earlier runs of this bench used (peers/small-ceiling.ts). */
export function createSmallCeilingContender(bench: Bench, measure?: Measure): Arm {
  return createPeerContender(bench, {
    name: 'small C',
    peer: 'small-ceiling',
    list: '{ceiling}:l:all',
    measure,
  });
}

/** A server of bench/peers/ that accepts posts. */
export function createPeerContender(
  bench: Bench,
  options: {
    readonly name: string;
    readonly peer: string;
    readonly list: string;
    readonly env?: (stage: BenchStage) => Promise<Record<string, string>>;
    readonly measure?: Measure | undefined;
  },
): Arm {
  const {name, peer, list, env, measure} = options;
  return {
    name,
    async open(closings) {
      const stage = await openStage(bench, closings);
      const server = await stage.startPeer(peer, await env?.(stage));
      return convertToMeasuredProcess(
        {name, server, stage, lists: [list], next: await createPostGenerator(stage)},
        measure,
      );
    },
  };
}

function convertToMeasuredProcess(target: PostTarget, measure: Measure = measurePosts): MeasuredProcess {
  return {
    measure: (seconds) => measure(target, seconds),
    warm: (seconds) => warmUpWithPosts(target, seconds),
  };
}

const recordings = new Map<string, Promise<Recording>>();

/**
 * Records the commit that a build of the service sends to Redis for a typical post. This is done once in a
 * run of the bench.
 */
export function recordCommitOnce(bench: Bench, build: Build): Promise<Recording> {
  const known = recordings.get(build.main);
  if (known !== undefined) return known;
  const made = recordTypicalCommit(bench, build);
  recordings.set(build.main, made);
  return made;
}

async function recordTypicalCommit(bench: Bench, build: Build): Promise<Recording> {
  const closings = createShutdownList();
  try {
    const stage = await openStage(bench, closings);
    const server = await stage.startService(build, 'web');
    const post = {token: stage.token, body: commonBody};
    return await recordCommit(stage, () => sendOnePost(server, post));
  } finally {
    await closings.run();
  }
}
