import type {AccessToken, Call} from '../../domain/core/access.js';
import type {CommitPart} from '../../domain/commit/commit.js';
import {limits} from '../../domain/core/limits.js';
import {parseWire, type Draft} from '../../domain/core/resource.js';
import {formatPass} from '../../domain/tokens/session.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {createTokenRecords, hashSecret, type UsedToken} from './token-records.js';

export interface MadeSession {
  readonly session: AccessToken;
  /** The value that the browser keeps. */
  readonly pass: string;
}

/** A session to be created. */
export interface Decision extends Pick<AccessToken, 'scopes' | 'created_by' | 'parent'> {
  readonly member: Member;
  readonly expiresAt: string;
  /** The writes that use up what the session is made from, and the guards that it may still be used. */
  readonly spent: Pick<CommitPart, 'guards' | 'writes'>;
}

/** Creates a session for the principal of a call. `decide`: describes the session, at each attempt. */
export function createSessionMaker(context: ServiceContext) {
  const {mutate, generateSuffix, generateSecret, sha256} = context;
  const tokenRecords = createTokenRecords(context);
  return async function makeSession(
    call: Call,
    name: string,
    decide: () => Promise<Decision>,
  ): Promise<MadeSession> {
    const {workspace} = call;
    const suffix = generateSuffix();
    const secret = generateSecret();
    const {body} = await mutate<AccessToken>(call, async () => {
      const {member, scopes, expiresAt, created_by, parent, spent} = await decide();
      const draft: Draft<AccessToken> = {
        object: 'access_token',
        name,
        kind: 'session',
        holder: call.principal,
        scopes,
        expires_at: expiresAt,
        created_by,
        parent,
        client: null,
      };
      const planned = await tokenRecords.planToken(
        call,
        draft,
        {suffix, proof: hashSecret(sha256, secret)},
        leastUsed,
      );
      return {
        lets: call.principal.id,
        guards: [
          {check: 'revision', id: member.id, revision: member.revision},
          ...spent.guards,
          ...planned.guards,
        ],
        writes: [...spent.writes, ...planned.writes],
        events: planned.events,
        reply: {kind: 'resource', of: planned.created},
      };
    });
    return {session: parseWire(body), pass: formatPass({workspace, suffix, secret})};
  };
}

/** Chooses the session that has been unused for the longest time. */
const leastUsed = (live: readonly UsedToken[]): readonly AccessToken[] =>
  live
    .map(({token, used = 0}) => ({token, at: Math.max(used, Date.parse(token.created_at))}))
    .toSorted((one, other) => one.at - other.at)
    .slice(0, Math.max(0, live.length - limits.sessionsPerMember + 1))
    .map(({token}) => token);
