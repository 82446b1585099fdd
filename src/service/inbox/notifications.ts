import type {Write} from '../../domain/commit/writes.js';
import type {Call, PrincipalId} from '../../domain/core/access.js';
import {type Id, type IdSuffix, isId} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import {listMentions} from '../../domain/core/mentions.js';
import type {InboxReason} from '../../domain/inbox/inbox.js';
import {isExpected} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import {listRecords} from '../core/paging.js';
import {wantsMessage} from './news.js';

/** Something in a conversation that others are notified of. */
export interface Happening {
  /** The id suffix of the standup. */
  readonly standup: IdSuffix<'standup'>;
  /** The id suffix of the comment, the reaction, the blocker or the standup itself. */
  readonly about: IdSuffix;
  /** The person or program that did it, who is never notified. */
  readonly by: PrincipalId;
  /** The texts in Markdown, and what they were before: only new mentions notify. */
  readonly texts?: readonly string[];
  readonly before?: readonly string[];
  /** Others who are notified: of a mention first, of it too if they are mentioned. */
  readonly others?: readonly {readonly id: PrincipalId; readonly reason: InboxReason}[];
}

/** Plans what the commit of a change adds to inboxes. */
export function createNotifier({records, teams}: ServiceContext) {
  /** Lists the members of a mentioned team, without its observers. */
  async function listTeam(call: Call, reference: string): Promise<Id<'member'>[]> {
    const team = (await teams.of(call)).byReference(reference);
    if (team === undefined) return [];
    const query = {list: lists.teamMembers(team.id), limit: limits.inboxRecipients};
    const memberships = await listRecords(records, call, query);
    return memberships.filter(isExpected).map(({member}) => member.id);
  }

  /** Lists the members that texts mention now and not before: by name, and as members of a team. */
  async function listMentioned(
    call: Call,
    {texts = [], before = []}: Happening,
  ): Promise<{readonly named: readonly Id<'member'>[]; readonly inTeams: readonly Id<'member'>[]}> {
    const known = new Set(before.flatMap(listMentions).map(({id}) => id));
    const ids = [...new Set(texts.flatMap(listMentions).map(({id}) => id))].filter((id) => !known.has(id));
    const teamIds = ids.filter((id) => !isId('member', id));
    const inTeams = await Promise.all(teamIds.map((id) => listTeam(call, id)));
    return {named: ids.filter((id) => isId('member', id)), inTeams: inTeams.flat()};
  }

  return async function planNotifications(call: Call, happening: Happening): Promise<Write[]> {
    const {standup, about, by, others = []} = happening;
    const reasons = new Map<Id<'member'>, readonly [InboxReason, ...InboxReason[]]>();
    const add = (id: PrincipalId, reason: InboxReason) => {
      if (!isId('member', id) || id === by || id === call.principal.id) return;
      const before = reasons.get(id);
      reasons.set(id, before === undefined ? [reason] : [...before, reason]);
    };
    const {named, inTeams} = await listMentioned(call, happening);
    for (const id of [...named, ...inTeams]) add(id, 'mention');
    for (const {id, reason} of others) add(id, reason);
    const recipients = [...reasons].slice(0, limits.inboxRecipients);
    const ids = recipients.map(([id]) => id);
    const found = await records.findMany(call.workspace, ids, call.deadline);
    const present = recipients.flatMap(([id, given], i) => {
      const member = found[i];
      if (member === undefined) return [];
      // What a member wants to hear of is not silenced by a stronger reason that they want no message about.
      const wanted = given.find((reason) => wantsMessage(member, reason));
      return [{id, reason: wanted ?? given[0], wants: wanted !== undefined}];
    });
    const sent = new Set(present.filter(({wants}) => wants).slice(0, limits.inboxMessages));
    return present.map((one) => ({
      do: 'notify',
      member: one.id,
      standup,
      reason: one.reason,
      by,
      about,
      sends: sent.has(one),
      named: named.includes(one.id),
    }));
  };
}
