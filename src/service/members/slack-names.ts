// A name or e-mail address that came from Slack is updated from Slack until another one is entered here. A
// mark records that it came from Slack. An e-mail address allows sign-in, so Slack cannot change that of an
// admin or owner.
import type {Write} from '../../domain/commit/writes.js';
import type {Call, RequestContext} from '../../domain/core/access.js';
import {suffixOf, type IdSuffix} from '../../domain/core/ids.js';
import type {Draft} from '../../domain/core/resource.js';
import {normalizeEmail} from '../../domain/core/text.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {Records} from '../../store/core/records.js';
import {findByAddress} from '../core/member-references.js';
import {createMarkUnconfirmedWrites} from './given-names.js';

const marked = [
  {names: 'slack-name', member: 'name'},
  {names: 'slack-email', member: 'email'},
] as const;

/** Records that the name and address of a member came from a Slack profile. */
export function createMarkSlackNameWrites({email}: Draft<Member>, suffix: IdSuffix<'member'>): Write[] {
  const all = email === null ? marked.slice(0, 1) : marked;
  return all.map(({names}) => ({do: 'name', names, name: suffix, suffix}));
}

/**
 * If a name or address is changed here, removes the mark that it came from Slack, so that Slack no longer
 * changes it. `after`: the member after the change; undefined if the member is removed.
 */
export function createUnmarkSlackNameWrites(
  before: Draft<Member>,
  after: Draft<Member> | undefined,
  suffix: IdSuffix<'member'>,
): Write[] {
  const changed = marked.filter(({member}) => after?.[member] !== before[member]);
  return changed.map(({names}) => ({do: 'free-name', names, name: suffix, suffix}));
}

/** Returns the name and address that a member takes over from Slack, and the writes that this needs. */
export async function adoptSlackNames(
  records: Records,
  call: Call,
  known: Member,
  profile: {readonly name?: string | undefined; readonly email?: string | undefined},
): Promise<{readonly names: Partial<Draft<Member>>; readonly writes: readonly Write[]}> {
  const name = (await areNamesFromSlack(records, call, 'slack-name', known)) ? profile.name : undefined;
  const email = profile.email === undefined ? undefined : normalizeEmail(profile.email);
  const isNew = email !== undefined && email !== known.email;
  const isFollowed = isNew && (await mayAdoptEmail(records, call, known, email));
  return {
    names: {...(name !== undefined && {name}), ...(isFollowed && {email})},
    writes: isFollowed ? createMarkUnconfirmedWrites(suffixOf(known.id)) : [],
  };
}

async function mayAdoptEmail(records: Records, call: Call, known: Member, email: string): Promise<boolean> {
  if (known.role !== 'member' || !(await areNamesFromSlack(records, call, 'slack-email', known)))
    return false;
  const holder = await findByAddress(records, call, email);
  return holder === undefined || holder.id === known.id;
}

async function areNamesFromSlack(
  records: Records,
  {workspace, deadline}: RequestContext,
  names: (typeof marked)[number]['names'],
  {id}: Member,
): Promise<boolean> {
  return (await records.findName(workspace, names, suffixOf(id), deadline)) !== undefined;
}
