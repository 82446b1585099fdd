import type {ServiceContext} from '../core/context.js';
import {createTokenLines} from './token-lines.js';
import type {ServiceAccount} from '../../domain/workspaces/workspace.js';
import type {WireJson} from '../../domain/core/resource.js';
import type {Call, Caller} from '../../domain/core/access.js';
import type {Answer} from '../core/answers.js';
import {notFound} from '../../domain/core/errors.js';
import {suffixOf, isId} from '../../domain/core/ids.js';
import {lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import {readPage} from '../core/paging.js';
import {type Precondition, requireRevision} from '../core/precondition.js';

/** Lists and deletes service accounts, for owners and admins. New tokens create these accounts. */
export interface AccountList {
  /** Lists service accounts, newest first. Errors: `forbidden`. */
  listAccounts: (access: Caller, page: PageQuery) => Promise<Page<WireJson<ServiceAccount>>>;
  /**
   * Deletes a service account with its tokens and the tokens it has made for others. Its posts stay under its
   * name. Errors: `forbidden`, `not_found`.
   */
  deleteAccount: (call: Call, id: string, expected?: Precondition) => Promise<Answer<void>>;
}

export function createAccountList(context: ServiceContext): AccountList {
  const {mutate, records, authority} = context;
  const tokenLines = createTokenLines(context);
  return {
    async listAccounts(access, page) {
      await authority.requireAdmin(access, 'see service accounts');
      return readPage(records, access, {list: lists.serviceAccounts(), ...page});
    },
    deleteAccount: (call, id, expected) =>
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
