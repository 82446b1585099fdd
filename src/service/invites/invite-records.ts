// service/invites/: people come into a workspace by a link. Members by other ways are in service/members.
import {hash} from 'node:crypto';
import {type RemovalMode, reviseWrite, type Write} from '../../domain/commit/writes.js';
import type {CommitPart} from '../../domain/commit/commit.js';
import type {RequestContext} from '../../domain/core/access.js';
import {dayNumber} from '../../domain/core/dates.js';
import {type Id, suffixOf} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {type Listing, lists} from '../../domain/core/lists.js';
import {type Draft, toDraft} from '../../domain/core/resource.js';
import {createEmailComparisonKey} from '../../domain/core/text.js';
import type {Invite} from '../../domain/invites/invite.js';
import {mailOfInvite} from '../../domain/mail/mail.js';
import type {Records} from '../../store/core/records.js';
import type {Mails} from '../../store/mail/mails.js';
import {listRecords} from '../core/paging.js';

/** The number of invites to one address that are read: more than the limit allows until they are removed. */
const manyInvites = 200;

/** Returns the name of an address in lists: 132 bits of its hash, since no key contains text of a client. */
export function createAddressKey(address: string): string {
  return hash('sha256', createEmailComparisonKey(address), 'base64url').slice(0, 22);
}

/** Returns the day (see `dayNumber`) of an instant, in UTC. */
export function dayOfInstant(instant: string): number {
  return dayNumber(instant.slice(0, 10));
}

/** Returns the lists of an invite. `createdAt`: its first instant. */
export function listInviteLists(
  {email, created_by: maker, issued_by: issuers, expires_at}: Draft<Invite>,
  createdAt: string,
): Listing[] {
  const day = dayOfInstant(createdAt);
  return [
    {list: lists.invites(), day},
    ...(maker === null ? [] : [{list: lists.invitesBy(maker.id), day}]),
    ...issuers.map(({id}) => ({list: lists.invitesIssuedBy(id), day})),
    ...(email === null ? [] : [{list: lists.invitesTo(createAddressKey(email)), day}]),
    {list: lists.invitesByEnd(), day: dayOfInstant(expires_at)},
  ];
}

/** Returns the invites to an address, latest first, however it is spelt. */
export function listInvitesTo(records: Records, asked: RequestContext, address: string): Promise<Invite[]> {
  return listRecords(records, asked, {list: lists.invitesTo(createAddressKey(address)), limit: manyInvites});
}

/** The instant (ms) until which an invite is kept, so that its link can say what has become of it. */
export function computeInviteRemoval({expires_at}: Pick<Invite, 'expires_at'>): number {
  return Date.parse(expires_at) + lifetimes.inviteKept * 1_000;
}

/** The part of a commit that changes an invite. */
type InviteStep = Pick<CommitPart, 'writes' | 'events'>;

/** Ends an invite, if it is open. Its record stays, so that its link says that it was ended. */
export function planRevocation(invite: Invite): InviteStep {
  if (invite.state !== 'open') return {writes: [], events: []};
  return {
    writes: [reviseWrite(invite, {...toDraft(invite), state: 'revoked'})],
    events: [createRevocationEvent(invite)],
  };
}

/** Ends an invite, and erases its address from it and from its events. */
export function planErasureOfAddress(invite: Invite): InviteStep {
  if (invite.email === null) return planRevocation(invite);
  const state = invite.state === 'open' ? 'revoked' : invite.state;
  return {
    writes: createEraseAddressWrites(invite, {...toDraft(invite), state}),
    events: invite.state === 'open' ? [createRevocationEvent(invite)] : [],
  };
}

/**
 * Counts a person who joins. The first write is the revision. The address goes, since the invite would keep
 * it when the person, or their account, has long got another one.
 */
export function planUse(invite: Invite, acceptedBy: Id<'member'>): InviteStep {
  const uses = invite.uses + 1;
  const draft = {...toDraft(invite), uses, state: uses < invite.max_uses ? 'open' : 'used'} as const;
  return {
    writes: createEraseAddressWrites(invite, draft),
    events: [
      {type: 'invite.accepted', about: suffixOf(invite.id), revision: invite.revision + 1, acceptedBy},
    ],
  };
}

function createEraseAddressWrites(invite: Invite, draft: Draft<Invite>): Write[] {
  const revised = reviseWrite(invite, {...draft, email: null});
  if (invite.email === null) return [revised];
  const suffix = suffixOf(invite.id);
  return [
    revised,
    {do: 'erase-revisions', suffix},
    {do: 'relist', suffix, from: lists.invitesTo(createAddressKey(invite.email)), to: null},
    {do: 'erase-mail', suffix: mailOfInvite(suffix)},
  ];
}

/** The number of code mails that one commit erases; each has six keys. The others end after 30 days. */
const codeMailsAtOnce = 100;

/** Plans to erase the mails with codes to an address, which were queued before it was that of a member. */
export async function planErasureOfCodeMails(
  mails: Mails,
  {workspace, deadline}: RequestContext,
  email: string,
): Promise<Write[]> {
  const address = createAddressKey(email);
  const found = await mails.listOf(workspace, address, deadline);
  return found.slice(0, codeMailsAtOnce).map((suffix) => ({do: 'erase-mail', suffix, address}));
}

/** Ends the invites of a maker who leaves, and takes each out of the maker's list. */
export function leaveMaker(invite: Invite): InviteStep {
  const {writes, events} = planRevocation(invite);
  const {id, created_by: maker} = invite;
  if (maker === null) return {writes, events};
  return {
    writes: [...writes, {do: 'relist', suffix: suffixOf(id), from: lists.invitesBy(maker.id), to: null}],
    events,
  };
}

/** Ends the invites that were created with a token of an issuer who leaves. */
export function leaveIssuer(invite: Invite): InviteStep {
  const {writes, events} = planRevocation(invite);
  const suffix = suffixOf(invite.id);
  const left = invite.issued_by.map(
    ({id}): Write => ({do: 'relist', suffix, from: lists.invitesIssuedBy(id), to: null}),
  );
  return {writes: [...writes, ...left], events};
}

/** Removes an invite with its secret and its mail. */
export function createRemoveInviteWrites(invite: Invite, how: RemovalMode): Write[] {
  const {id, revision, created_at, created_by: maker, issued_by: issuers} = invite;
  const people = [...(maker === null ? [] : [maker.id]), ...issuers.map((issuer) => issuer.id)];
  const listed = listInviteLists(toDraft(invite), created_at).map(({list}) => list);
  return [
    {do: 'remove', how, id, from: revision, lists: listed, names: people},
    {do: 'admit-token', suffix: suffixOf(id), admitted: null},
    {do: 'erase-mail', suffix: mailOfInvite(suffixOf(id))},
  ];
}

function createRevocationEvent({id, revision}: Invite) {
  return {type: 'invite.revoked', about: suffixOf(id), revision: revision + 1} as const;
}
