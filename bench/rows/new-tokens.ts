import {createIdSource} from '../../src/api/http/request-id.js';
import {composeId, suffixOf} from '../../src/domain/core/ids.js';
import {deadlines} from '../../src/domain/core/limits.js';
import {createCeilingContender, type Measure, createServiceContender} from '../arms.js';
import {commonBody, measurePosts} from '../posts.js';
import type {BenchRow} from '../row.js';
import type {BenchStage} from '../stage.js';

const tokensAtOnce = 2_500;
const lifetimeSeconds = 3_600;
/** A time limit (s) that is never reached, because the measurement ends when the tokens are used up. */
const longEnough = 60;

const withNewTokens: Measure = async (target) => {
  const posts = (await makeTokens(target.stage)).map((token) => ({token, body: commonBody}));
  return measurePosts({...target, next: () => posts.pop()}, longEnough);
};

/** Measures posts that each use a token new to the service, so that no cached verification helps. */
export const newTokens: BenchRow = {
  service: (bench, build) => createServiceContender(bench, build, {measure: withNewTokens}),
  peers: (bench) => [createCeilingContender(bench, withNewTokens)],
  figures: [
    {
      metric: 'perSecond',
      work: 'POST, every request with a token not seen before',
      unit: '/s',
      against: 'C',
      aim: {atLeast: 0.25},
    },
  ],
  method: {rounds: 1},
};

/**
 * Creates live tokens, signed and registered as by `issueToken`, but without its limit of 50 for a principal.
 */
async function makeTokens({core, keys, redis, workspace, principal}: BenchStage): Promise<string[]> {
  const generateSuffix = createIdSource();
  const issuedAt = Math.floor(core.store.clock.now() / 1_000);
  const expiresAt = issuedAt + lifetimeSeconds;
  const ids = Array.from({length: tokensAtOnce}, () =>
    composeId('access_token', issuedAt * 1_000, generateSuffix()),
  );
  await Promise.all(ids.map((id) => redis.set(keys.liveToken(suffixOf(id)), '1', {PXAT: expiresAt * 1_000})));
  const kid = await core.accessTokens.findSigningKeyId(performance.now() + deadlines.job);
  const granted = {subject: principal.id, workspace, scopes: ['standups:read', 'standups:write']} as const;
  return Promise.all(ids.map((id) => core.accessTokens.sign({...granted, id, issuedAt, expiresAt}, kid)));
}
