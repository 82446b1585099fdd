import type {CommitPart} from '../../domain/commit/commit.js';
import type {RemovalMode, Write} from '../../domain/commit/writes.js';
import type {PrincipalId, RequestContext} from '../../domain/core/access.js';
import {type IdSuffix, suffixOf} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import type {Passkey} from '../../domain/tokens/passkey.js';
import type {Records} from '../../store/core/records.js';
import {listRecords} from '../core/paging.js';

/** Lists all passkeys of a member, newest first. */
export function listPasskeysOf(
  records: Records,
  asked: RequestContext,
  member: PrincipalId | IdSuffix<'member'>,
): Promise<Passkey[]> {
  return listRecords(records, asked, {list: lists.passkeysOf(member), limit: limits.passkeysPerMember});
}

/** Removes a passkey, with which no one signs in from then on. */
export function createPasskeyRemoval({id, revision, holder}: Passkey, how: RemovalMode = 'remove'): Write[] {
  return [
    {do: 'remove', how, id, from: revision, lists: [lists.passkeysOf(holder.id)], names: [holder.id]},
    {do: 'note-passkey-use', suffix: suffixOf(id), use: null},
  ];
}

/** Plans the removal of passkeys, with their events. */
export function planPasskeyRemoval(passkeys: readonly Passkey[]): Pick<CommitPart, 'writes' | 'events'> {
  return {
    writes: passkeys.flatMap((passkey) => createPasskeyRemoval(passkey)),
    events: passkeys.map(({id, revision}) => ({type: 'passkey.deleted', about: suffixOf(id), revision})),
  };
}
