import {
  createCeilingContender,
  createPeerContender,
  createServiceContender,
  createSmallCeilingContender,
} from '../arms.js';
import {measureLatencies, type PostTarget} from '../posts.js';
import type {BenchRow} from '../row.js';

const everythingOn = 'POST, everything on, 64 connections';

/** Compares a POST to the service with the minimum work that could do the same. */
export const post: BenchRow = {
  service: createServiceContender,
  peers: (bench) => [createCeilingContender(bench), createSmallCeilingContender(bench)],
  figures: [
    {
      metric: 'perSecond',
      work: everythingOn,
      unit: '/s',
      against: 'C',
      aim: {atLeast: 0.75},
    },
    {
      metric: 'cpu',
      work: `${everythingOn}, CPU of the process`,
      unit: 'µs',
      against: 'C',
      aim: {atMost: 2.2},
    },
    {metric: 'redisCpu', work: `${everythingOn}, CPU of Redis`, unit: 'µs', against: 'C'},
    {metric: 'perSecond', work: everythingOn, unit: '/s', against: 'small C'},
    {metric: 'cpu', work: `${everythingOn}, CPU of the process`, unit: 'µs', against: 'small C'},
  ],
};

const rate = 2_000;
const measurePostsAtFixedRate = (target: PostTarget, seconds: number) =>
  measureLatencies(target, rate, seconds);

/** Measures the latency of a POST at a fixed rate. */
export const openLoop: BenchRow = {
  service: (bench, build) => createServiceContender(bench, build, {measure: measurePostsAtFixedRate}),
  peers: (bench) => [createCeilingContender(bench, measurePostsAtFixedRate)],
  figures: [
    {metric: 'p50', work: `POST, open loop at ${rate}/s, p50`, unit: 'ms', against: 'C'},
    {
      metric: 'p99',
      work: `POST, open loop at ${rate}/s, p99`,
      unit: 'ms',
      against: 'C',
      aim: {atMost: 6, orTimes: 2},
    },
  ],
  method: {rounds: 2, seconds: 2},
};

/** Compares a POST to the service with the obvious first implementation. */
export const obvious: BenchRow = {
  service: createServiceContender,
  peers: (bench) => [
    createPeerContender(bench, {
      name: 'the obvious build',
      peer: 'obvious',
      list: 'standups',
      async env({core}) {
        const keys = (await core.signingKeys.published()).map(({jwk}) => jwk);
        return {JWKS: JSON.stringify({keys}), ISSUER: `urn:standup:${core.store.installation.id}`};
      },
    }),
  ],
  figures: [
    {
      metric: 'perSecond',
      work: everythingOn,
      unit: '/s',
      against: 'the obvious build',
      aim: {atLeast: 4.5},
    },
  ],
  method: {rounds: 1},
};

/** Measures the cost of `appendfsync always`, with which no acknowledged post is ever lost. */
export const fsync: BenchRow = {
  service: createServiceContender,
  peers: (bench) => [
    createServiceContender(bench, bench.build, {name: 'itself with `everysec`', appendfsync: 'everysec'}),
  ],
  figures: [
    {
      metric: 'perSecond',
      work: 'POST with `appendfsync always`',
      unit: '/s',
      against: 'itself with `everysec`',
      aim: {atLeast: 0.9},
    },
  ],
  method: {rounds: 1},
};
