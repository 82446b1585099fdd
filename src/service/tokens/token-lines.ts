import type {Clock} from '../../domain/core/dates.js';
import {type CommitPart, type Guard, joinCommitParts, nothing} from '../../domain/commit/commit.js';
import type {RemovalMode, Write} from '../../domain/commit/writes.js';
import {type AccessToken, type Call, operatorId, type PrincipalId} from '../../domain/core/access.js';
import {type Id, suffixOf, isId, storedId} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {type ListName, lists} from '../../domain/core/lists.js';
import type {Draft} from '../../domain/core/resource.js';
import {isDemotion, type Member, type MemberRole} from '../../domain/workspaces/workspace.js';
import {isUnconfirmed} from '../core/member-references.js';
import {listAllRecords} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {listPasskeysOf, planPasskeyRemoval} from './passkey-records.js';

export type RevocationKind = 'signed-out' | 'demoted' | 'gone' | 'erase';

/** The number of tokens revoked at once, with up to ten keys each: a few milliseconds of Redis. */
const revokedAtOnce = 100;
const pageSize = 500;

interface TokenDescendants {
  /** The tokens; a parent comes before the tokens made with it. */
  readonly tokens: readonly AccessToken[];
  /** Guards that no token has been added since the tokens were read. */
  readonly guards: readonly Guard[];
}

/** Finds the tokens made with a token, those made with them, and so on, to revoke them together. */
export function createTokenLines({mutate, records, clock}: ServiceContext) {
  async function readAllTokens(
    call: Call,
    list: ListName<'access_token'>,
  ): Promise<{tokens: AccessToken[]; guard: Guard}> {
    // The count includes tokens in the list whose record no longer exists.
    const listed = await records.count(call.workspace, list, call.deadline);
    const tokens = await listAllRecords(records, call, {list, limit: pageSize});
    return {tokens, guard: {check: 'length', list, below: Math.max(listed, tokens.length) + 1}};
  }

  /** Finds the descendants of tokens, one generation after the other. */
  async function findDescendants(call: Call, roots: readonly AccessToken[]): Promise<TokenDescendants> {
    const found = new Map<string, AccessToken>();
    const guards: Guard[] = [];
    for (let generation = roots; generation.length > 0; ) {
      for (const token of generation) found.set(token.id, token);
      const next = await Promise.all(
        generation.map(({id}) => readAllTokens(call, lists.accessTokensUnder(id))),
      );
      guards.push(...next.map(({guard}) => guard));
      generation = next.flatMap(({tokens}) => tokens).filter(({id}) => !found.has(id));
    }
    return {tokens: [...found.values()], guards};
  }

  function planRevocation({tokens, guards}: TokenDescendants, how: 'remove' | 'erase'): CommitPart {
    const live = tokens.filter((token) => isLiveToken(token, clock));
    return {
      guards,
      writes: tokens.flatMap((token) => createTokenRemoval(token, how)),
      events: live.map(({id, revision}) => ({type: 'token.revoked', about: suffixOf(id), revision})),
    };
  }

  /** Revokes tokens in batches, the latest ones first, so that a repeated call still finds the others. */
  async function revokeInBatches(call: Call, read: () => Promise<TokenDescendants>, how: 'remove' | 'erase') {
    const {idempotency: _, ...own} = call;
    for (;;) {
      const line = await read();
      if (line.tokens.length <= revokedAtOnce) return planRevocation(line, how);
      await mutate(own, async () => {
        const {tokens, guards} = await read();
        const last = planRevocation({tokens: tokens.slice(-revokedAtOnce), guards}, how);
        return {effect: 'release', ...last, reply: {kind: 'empty'}};
      });
    }
  }

  /** True if the maker of a token could not grant this role. A deleted maker can grant nothing. */
  async function isMakerBelowRole(call: Call, maker: PrincipalId | undefined, role: MemberRole) {
    if (maker === undefined || maker === operatorId) return false;
    if (!isId('member', maker)) return isDemotion(role, 'admin');
    const found = await records.find(call.workspace, maker, call.deadline);
    return found === undefined || isDemotion(role, found.role);
  }

  /** Revokes the tokens of a member that `choose` returns, with all tokens made with them. */
  function revokeTokensOf(
    call: Call,
    member: PrincipalId,
    how: 'remove' | 'erase',
    choose: (made: readonly AccessToken[], held: readonly AccessToken[]) => Promise<AccessToken[]>,
  ): Promise<CommitPart> {
    async function read(): Promise<TokenDescendants> {
      const [made, held] = await Promise.all([
        readAllTokens(call, lists.accessTokensBy(member)),
        readAllTokens(call, lists.accessTokensOf(member)),
      ]);
      const {tokens, guards} = await findDescendants(call, await choose(made.tokens, held.tokens));
      return {tokens, guards: [made.guard, held.guard, ...guards]};
    }
    return revokeInBatches(call, read, how);
  }

  function planPromotion(call: Call, member: PrincipalId, role: MemberRole, own: boolean) {
    return revokeTokensOf(call, member, 'remove', async (made, held) => {
      const makers = new Set(held.map(({created_by: maker}) => maker?.id));
      makers.delete(member);
      const below = new Set<PrincipalId | undefined>(own ? [member] : []);
      for (const maker of makers) if (await isMakerBelowRole(call, maker, role)) below.add(maker);
      const roots = held.filter(({created_by: maker}) => maker !== null && below.has(maker.id));
      return own ? [...made, ...roots] : roots;
    });
  }

  async function planRemovalOfPasskeys(call: Call, member: Id<'member'>): Promise<CommitPart> {
    const held = await listPasskeysOf(records, call, member);
    const list = lists.passkeysOf(member);
    return {guards: [{check: 'length', list, below: held.length + 1}], ...planPasskeyRemoval(held)};
  }

  /**
   * Plans the revocation of the tokens that a member has made for others, and of the member's sessions and
   * sign-in links. `signed-out`: revokes only sessions and links. `gone`: also revokes all tokens that the
   * member holds. `erase`: like `gone`, and removes the member's name.
   */
  function planRevocationOf(call: Call, member: PrincipalId, how: RevocationKind): Promise<CommitPart> {
    const all = how === 'gone' || how === 'erase';
    return revokeTokensOf(call, member, how === 'erase' ? 'erase' : 'remove', async (made, held) => {
      const own = held.filter(({kind}) => all || kind === 'session' || kind === 'sign_in_link');
      const others = how === 'signed-out' ? [] : made.filter(({holder}) => holder.id !== member);
      return [...others, ...own];
    });
  }

  return {
    planRevocationOf,
    /**
     * Plans the revocation of a token and of all tokens made with it. If there are too many for one commit,
     * some are revoked at once, before the commit of the plan. So check the caller's right first.
     */
    planRevocation: (call: Call, token: AccessToken): Promise<CommitPart> =>
      revokeInBatches(call, () => findDescendants(call, [token]), 'remove'),
    /**
     * Plans the revocations for a change of a member's role. For a lower role, they are those of `demoted`.
     * For a higher role, they are the tokens that people with a role below it made for the member, since
     * these people could not grant that role. For an unconfirmed member, they are also the tokens that the
     * member made, and their passkeys: someone else may have signed in as the member.
     */
    async planRoleChange(call: Call, {id, role: before}: Member, role: MemberRole): Promise<CommitPart> {
      if (role === before) return nothing;
      if (isDemotion(before, role)) return planRevocationOf(call, id, 'demoted');
      const own = await isUnconfirmed(records, call, id);
      const tokens = await planPromotion(call, id, role, own);
      return own ? joinCommitParts([tokens, await planRemovalOfPasskeys(call, id)]) : tokens;
    },
  };
}

/** True if a token is live. `used`: the time of last use (ms), which matters for sessions. */
export function isLiveToken({kind, expires_at, created_at}: AccessToken, clock: Clock, used = 0): boolean {
  const now = clock.now();
  if (Date.parse(expires_at) <= now) return false;
  return kind !== 'session' || Math.max(used, Date.parse(created_at)) + lifetimes.sessionIdle * 1_000 > now;
}

export function listTokenLists({holder, created_by: maker, parent}: Draft<AccessToken>): ListName[] {
  return [
    lists.accessTokens(),
    lists.accessTokensOf(holder.id),
    ...(maker === null ? [] : [lists.accessTokensBy(maker.id)]),
    ...(parent === null ? [] : [lists.accessTokensUnder(storedId(parent))]),
  ];
}

/** Removes a token, which is refused from then on. */
export function createTokenRemoval(token: AccessToken, how: RemovalMode = 'remove'): Write[] {
  const {id, revision, holder, created_by: maker} = token;
  const names = [holder.id, ...(maker === null ? [] : [maker.id])];
  return [
    {do: 'remove', how, id, from: revision, lists: listTokenLists(token), names},
    {do: 'admit-token', suffix: suffixOf(id), admitted: null},
  ];
}
