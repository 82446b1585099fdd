import {suffixOf, isId} from '../../domain/core/ids.js';
import type {Call, Principal, Caller} from '../../domain/core/access.js';
import {createWrite} from '../../domain/commit/writes.js';
import {type CommitPart, emptyCommit, nothing} from '../../domain/commit/commit.js';
import {AppError, notFound} from '../../domain/core/errors.js';
import {limits} from '../../domain/core/limits.js';
import {lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import {parseWire, type Draft, type WireJson} from '../../domain/core/resource.js';
import type {ServiceAccount} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {findByUniqueName} from '../core/member-references.js';
import type {Answer} from '../core/answers.js';
import {readPage} from '../core/paging.js';
import {type Precondition, requireRevision} from '../core/precondition.js';
import {createTokenLines} from './token-lines.js';

/** Returns the service account with this name, which is created if there is none. Errors: `limit_reached`. */
export type EnsureServiceAccount = (call: Call, name: string) => Promise<Principal<'service_account'>>;

export function createServiceAccountFinder({
  mutate,
  records,
  clock,
  generateSuffix,
  trustedIssuers,
}: ServiceContext): EnsureServiceAccount {
  /** The accounts named in the rules of trusted issuers. Tokens of these issuers are not stored here. */
  const named = new Set(trustedIssuers.flatMap(({serviceAccounts}) => [...serviceAccounts.values()]));

  /** Makes room for another account: at the limit, removes one that has no live token and no rule. */
  async function makeRoomForAccount({workspace, deadline}: Call, wanted: string): Promise<CommitPart> {
    if (named.has(wanted)) return nothing;
    const list = lists.serviceAccounts();
    const room = {check: 'length', list, below: limits.serviceAccountsPerWorkspace} as const;
    if ((await records.count(workspace, list, deadline)) < limits.serviceAccountsPerWorkspace)
      return {...nothing, guards: [room]};
    const query = {list, limit: limits.serviceAccountsPerWorkspace};
    const {rows} = await records.list(workspace, query, deadline);
    for (const {json} of rows) {
      const account = parseWire(json);
      const {id, revision, name} = account;
      if (named.has(name)) continue;
      const ofAccount = lists.accessTokensOf(id);
      const held = await records.list(workspace, {list: ofAccount, limit: limits.pageMax}, deadline);
      const tokens = held.rows.map((row) => parseWire(row.json));
      if (tokens.some(({expires_at: end}) => Date.parse(end) > clock.now())) continue;
      return {
        guards: [{check: 'length', list: ofAccount, below: tokens.length + 1}],
        writes: [
          {do: 'remove', id, from: revision, lists: [list], names: []},
          {do: 'free-name', names: 'service-account', name, suffix: suffixOf(id)},
        ],
        events: [],
      };
    }
    throw new AppError(
      'limit_reached',
      `The workspace has ${limits.serviceAccountsPerWorkspace} service accounts already, all in use. Revoke the live tokens of one that is not needed any more: then its place is free.`,
    );
  }

  return async function ensureServiceAccount(call, name) {
    await mutate(call, async () => {
      if ((await findByUniqueName(records, call, 'service-account', name)) !== undefined) return emptyCommit;
      const room = await makeRoomForAccount(call, name);
      const suffix = generateSuffix();
      const draft: Draft<ServiceAccount> = {object: 'service_account', name};
      return {
        guards: [{check: 'name-free', names: 'service-account', name}, ...room.guards],
        writes: [
          ...room.writes,
          createWrite('service_account', suffix, draft, [{list: lists.serviceAccounts()}]),
          {do: 'name', names: 'service-account', name, suffix},
        ],
        events: [],
        reply: {kind: 'empty'},
      };
    });
    const account = await findByUniqueName(records, call, 'service-account', name);
    if (account === undefined)
      throw new AppError('service_unavailable', 'The service account could not be made.');
    return {type: 'service_account', id: account.id, name: account.name};
  };
}

/** Lists and deletes service accounts, for owners and admins. New tokens create these accounts. */
export function createAccountList(context: ServiceContext) {
  const {mutate, records, authority} = context;
  const tokenLines = createTokenLines(context);
  return {
    /** Lists service accounts, newest first. Errors: `forbidden`. */
    async listAccounts(access: Caller, page: PageQuery): Promise<Page<WireJson<ServiceAccount>>> {
      await authority.requireAdmin(access, 'see service accounts');
      return readPage(records, access, {list: lists.serviceAccounts(), ...page});
    },
    /**
     * Deletes a service account with its tokens and the tokens it has made for others. Its posts stay under
     * its name. Errors: `forbidden`, `not_found`.
     */
    deleteAccount: (call: Call, id: string, expected?: Precondition): Promise<Answer<void>> =>
      mutate(call, async () => {
        const proof = await authority.requireAdmin(call, 'delete service accounts');
        const found = isId('service_account', id)
          ? await records.find(call.workspace, id, call.deadline)
          : undefined;
        if (found === undefined) throw notFound('service account');
        requireRevision(expected, found.revision);
        const {name, revision} = found;
        const tokens = await tokenLines.planRevocationOf(call, found.id, 'gone');
        return {
          effect: 'release',
          guards: [...proof, ...tokens.guards],
          writes: [
            {do: 'remove', id: found.id, from: revision, lists: [lists.serviceAccounts()], names: []},
            {do: 'free-name', names: 'service-account', name, suffix: suffixOf(found.id)},
            ...tokens.writes,
          ],
          events: tokens.events,
          reply: {kind: 'empty'},
        };
      }),
  };
}
