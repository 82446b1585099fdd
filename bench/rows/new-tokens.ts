import {composeId, drawnPart} from '../../src/domain/ids.js';
import {createIdSource} from '../../src/api/request-id.js';
import {deadlines} from '../../src/domain/limits.js';
import {compare, type Figure, interleave} from '../figures.js';
import {measurePosts, startCeiling} from '../posts.js';
import {type Bench, type Stage, withStage} from '../stage.js';
import {startPostArm} from './post.js';

const tokensPerRound = 2_500;
const lifetimeSeconds = 3_600;

/** Every request with an access token that the service has never seen: nothing it has verified before helps. */
export function benchNewTokens(bench: Bench): Promise<Figure[]> {
  return withStage(bench, {}, async (stage) => {
    let tokens: string[] = [];
    const service = await startPostArm(stage, 'web', () => tokens.pop());
    const ceiling = await startCeiling(stage, () => tokens.pop());
    const arms = [service, ceiling].map((arm) => async () => {
      tokens = await makeTokens(stage, tokensPerRound);
      return measurePosts(arm, 60);
    });
    const [ours = [], theirs = []] = await interleave(bench.rounds, arms);
    return [
      compare([ours, theirs], ({perSecond}) => perSecond, {
        work: 'POST, every request with a token not seen before',
        unit: '/s',
        against: 'C',
        goal: {atLeast: 0.25},
      }),
    ];
  });
}

/** Live tokens, signed and made known as `issueToken` does, without its limit of 50 for one principal. */
async function makeTokens(stage: Stage, count: number): Promise<string[]> {
  const {core, keys, redis, workspace, principal} = stage;
  const drawId = createIdSource();
  const issuedAt = Math.floor(core.store.clock.now() / 1_000);
  const expiresAt = issuedAt + lifetimeSeconds;
  const ids = Array.from({length: count}, () => composeId('access_token', issuedAt * 1_000, drawId()));
  await Promise.all(
    ids.map((id) => redis.set(keys.liveToken(drawnPart(id)), '1', {PXAT: expiresAt * 1_000})),
  );
  const kid = await core.accessTokens.findSigningKeyId(performance.now() + deadlines.job);
  const granted = {subject: principal.id, workspace, scopes: ['standups:read', 'standups:write']} as const;
  return Promise.all(ids.map((id) => core.accessTokens.sign({...granted, id, issuedAt, expiresAt}, kid)));
}
