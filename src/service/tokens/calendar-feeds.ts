import type {AccessToken, Call, Scope} from '../../domain/core/access.js';
import {toInstant} from '../../domain/core/dates.js';
import {AppError} from '../../domain/core/errors.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {type Draft, parseWire} from '../../domain/core/resource.js';
import {createCalendarAddress} from '../../domain/tokens/session.js';
import type {ServiceContext} from '../core/context.js';
import type {Answer} from '../core/answers.js';
import {createTokenRecords, hashSecret} from './token-records.js';
import {findParentToken, requireNoMoreScopes, requireOwnAnswer, requireOwnToken} from './token-grants.js';

const feedScopes: readonly Scope[] = ['teams:read', 'members:read'];

/**
 * Creates the address of the caller's calendar feed, which calendars read without another credential. The answer
 * has `url`, which is shown only here and to repeated requests with the same idempotency key and access token.
 * It expires no later than the caller's token, unless that is a session's. Errors: `forbidden` for a service
 * account, `scope_escalation`, `limit_reached`.
 */
export function createCalendarFeedMaker(context: ServiceContext) {
  const {mutate, authority, cipher, clock, generateSuffix, generateSecret, sha256, publicUrl} = context;
  const tokenRecords = createTokenRecords(context);

  function computeFeedExpiry({token}: Call): string {
    const usual = (Math.floor(clock.now() / 1_000) + lifetimes.calendarFeed) * 1_000;
    return toInstant(token?.session === true ? usual : Math.min(usual, token?.expiresAt ?? usual));
  }

  return async function createCalendarFeed(
    call: Call,
    {name = 'Calendar'}: {readonly name?: string | undefined},
  ): Promise<Answer<AccessToken & {readonly url: string}>> {
    const suffix = generateSuffix();
    const secret = generateSecret();
    const expiresAt = computeFeedExpiry(call);
    const answer = await mutate<AccessToken & {readonly url: string}>(call, async () => {
      requireOwnToken(call);
      requireNoMoreScopes(call, feedScopes);
      const {role, proof} = await authority.prove(call);
      if (role === 'service_account')
        throw new AppError(
          'forbidden',
          'A service account has no calendar: only people have runs and days off.',
        );
      const draft: Draft<AccessToken> = {
        object: 'access_token',
        name,
        kind: 'calendar',
        holder: call.principal,
        scopes: feedScopes,
        expires_at: expiresAt,
        created_by: call.principal,
        parent: findParentToken(call),
        client: null,
      };
      const {created, ...planned} = await tokenRecords.planToken(
        call,
        draft,
        {suffix, proof: hashSecret(sha256, secret)},
        requireFewFeeds,
      );
      const url = createCalendarAddress(publicUrl, {workspace: call.workspace, suffix, secret});
      return {
        ...planned,
        guards: [...proof, ...planned.guards],
        reply: {
          kind: 'resource',
          of: created,
          encrypted: cipher.encrypt('shown-once', suffix, JSON.stringify({last_used_at: null, url})),
        },
      };
    });
    requireOwnAnswer(call, parseWire(answer.body));
    return answer;
  };
}

function requireFewFeeds(live: readonly unknown[]): [] {
  if (live.length < limits.calendarFeedsPerMember) return [];
  throw new AppError(
    'limit_reached',
    `You have ${limits.calendarFeedsPerMember} calendar feeds already. Revoke one first.`,
  );
}
