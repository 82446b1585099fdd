import {timingSafeEqual} from 'node:crypto';
import {toInstant} from '../../domain/core/dates.js';
import type {CommitPart} from '../../domain/commit/commit.js';
import {createWrite, type CreateWrite} from '../../domain/commit/writes.js';
import type {
  AccessToken,
  Call,
  PrincipalId,
  PrincipalReference,
  RequestContext,
  ShownAccessToken,
} from '../../domain/core/access.js';
import type {Sha256} from '../../domain/webhooks/delivery.js';
import {isId, suffixOf, type IdSuffix} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import {parseWire, type Draft, type WireJson} from '../../domain/core/resource.js';
import type {Records} from '../../store/core/records.js';
import type {ServiceContext} from '../core/context.js';
import {isLiveToken, listTokenLists, createTokenRemoval} from './token-lines.js';

/** The random values of a new token. They stay the same if the token is planned again. */
export interface MadeToken {
  readonly suffix: IdSuffix<'access_token'>;
  /** The SHA-256 hash of the secret that the user of the token must show. */
  readonly proof?: string;
}

/** A token with the time of its last use (ms). */
export interface UsedToken {
  readonly token: AccessToken;
  readonly used: number | undefined;
}

export type PlannedToken = CommitPart & {readonly created: CreateWrite};

/** The maximum number of tokens read: more than one principal can hold, so that all of them are found. */
const manyTokens = 1_000;

export function createTokenRecords({records, clock, tokenUse}: ServiceContext) {
  /** Adds the time of last use to each token, which decides whether a session is live. */
  async function addLastUse({workspace, deadline}: RequestContext, tokens: readonly AccessToken[]) {
    const ids = tokens.map(({id}) => id);
    const used = await tokenUse.find(workspace, ids, deadline);
    return tokens.map((token, i) => ({token, used: used[i]}));
  }

  return {
    withUse: addLastUse,
    /**
     * Plans a new token, if its holder may have another one of its kind. `makeRoom` gets the holder's live
     * tokens of that kind; those that it returns are revoked.
     */
    async planToken(
      call: Call,
      draft: Draft<AccessToken>,
      {suffix, proof}: MadeToken,
      makeRoom: (live: readonly UsedToken[]) => readonly AccessToken[],
    ): Promise<PlannedToken> {
      const ofHolder = lists.accessTokensOf(draft.holder.id);
      const {rows} = await records.list(call.workspace, {list: ofHolder, limit: manyTokens}, call.deadline);
      const held = await addLastUse(call, rows.map(toToken));
      const live = held.filter(({token, used}) => isLiveToken(token, clock, used));
      const over = held.filter((one) => !live.includes(one)).slice(0, 10);
      const ended = makeRoom(live.filter(({token}) => token.kind === draft.kind));
      const listings = listTokenLists(draft).map((list) => ({list}));
      const created = createWrite('access_token', suffix, draft, listings);
      return {
        created,
        guards: [{check: 'length', list: ofHolder, below: held.length + 1}],
        writes: [
          ...[...over.map(({token}) => token), ...ended].flatMap((token) => createTokenRemoval(token)),
          created,
          {
            do: 'admit-token',
            suffix,
            admitted: {until: Date.parse(draft.expires_at), proof},
          },
        ],
        events: [...ended.map(createRevocationEvent), {type: 'token.created', about: suffix, revision: 1}],
      };
    },
  };
}

/** Returns the SHA-256 hash of a secret, as it is stored. */
export function hashSecret(sha256: Sha256, secret: string): string {
  return Buffer.from(sha256(secret)).toString('base64url');
}

/** True if a secret has this stored hash. The time that the comparison takes says nothing about the hash. */
export function isProvenBy(sha256: Sha256, secret: string, proof: string): boolean {
  const [given, kept] = [Buffer.from(hashSecret(sha256, secret)), Buffer.from(proof)];
  return given.length === kept.length && timingSafeEqual(given, kept);
}

export function presentUsedToken({token, used}: UsedToken): ShownAccessToken {
  return {...token, last_used_at: used === undefined ? null : toInstant(used)};
}

export function toToken({json}: {readonly json: WireJson<AccessToken>}): AccessToken {
  return parseWire(json);
}

function createRevocationEvent({id, revision}: AccessToken) {
  return {type: 'token.revoked', about: suffixOf(id), revision} as const;
}

/**
 * Returns who issued the token of a call, and the tokens that made it, without the caller. Undefined if more
 * tokens stand in that line than one principal can hold, since each of them costs a read.
 */
export async function findIssuers(
  records: Records,
  {workspace, principal, token, deadline}: Call,
): Promise<PrincipalReference[] | undefined> {
  const issuers = new Map<PrincipalId, PrincipalReference>();
  let id: string | null = token?.id ?? null;
  for (let read = 0; id !== null && isId('access_token', id); read += 1) {
    if (read === limits.tokensPerPrincipal) return undefined;
    const found: AccessToken | undefined = await records.find(workspace, id, deadline);
    const maker = found?.created_by ?? null;
    if (maker !== null && maker.id !== principal.id) issuers.set(maker.id, {type: maker.type, id: maker.id});
    id = found?.parent ?? null;
  }
  return [...issuers.values()];
}
