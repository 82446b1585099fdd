import {parseWire} from '../../domain/core/resource.js';
import type {RequestContext} from '../../domain/core/access.js';
import type {LogEntry} from '../../domain/events/event.js';
import {findEndOfQuietHours} from '../../domain/prompts/prompt.js';
import type {PromptAt} from '../../domain/schedules/schedule.js';
import type {MembershipNotification} from '../../domain/teams/membership-notification.js';
import {isExpected, type Team} from '../../domain/teams/team.js';
import {isId, storedSuffix} from '../../domain/core/ids.js';
import type {ServiceContext} from '../core/context.js';

/** The age (ms) after which an event notifies no one: the service was down then. */
const freshMs = 24 * 3_600_000;

/**
 * Finds the message to a member about a membership; undefined if no one is to be told. No one is told if the
 * member has left or is not in Slack, or if the member, the operator or the service made the change.
 */
export function createMembershipNotificationFinder({records, teams, zones, clock}: ServiceContext) {
  return async (
    {workspace, deadline}: RequestContext,
    {type, about, revision, actor, at}: LogEntry,
  ): Promise<MembershipNotification | undefined> => {
    if (type !== 'team.member_added' && type !== 'team.member_updated') return undefined;
    const isByPerson = actor !== undefined && (actor.source === 'api' || actor.source === 'slack');
    if (!isByPerson || clock.now() - at > freshMs) return undefined;
    const suffix = storedSuffix<'team_member'>(about);
    const [membership, before] = await Promise.all([
      records.findBySuffix(workspace, suffix, deadline),
      type === 'team.member_updated'
        ? records.findRevisions(
            workspace,
            [
              {suffix, revision: revision - 1},
              {suffix, revision},
            ],
            deadline,
          )
        : [],
    ]);
    if (membership === undefined || membership.member.id === actor.id) return undefined;
    if (type === 'team.member_updated') {
      const [old, now] = before.map((json) => (json === undefined ? undefined : parseWire(json).role));
      if (old === 'lead' || now !== 'lead' || membership.role !== 'lead') return undefined;
    }
    const [directory, member, by] = await Promise.all([
      teams.all({workspace, deadline}),
      records.find(workspace, membership.member.id, deadline),
      actor.id !== null && isId('member', actor.id) ? records.find(workspace, actor.id, deadline) : undefined,
    ]);
    const team = directory.byReference(membership.team_id);
    const user = member?.slack_user_id ?? null;
    if (team === undefined || member === undefined || user === null) return undefined;
    const {reminders, timezone} = member;
    return {
      kind: type === 'team.member_added' ? 'added' : 'made-lead',
      team,
      user,
      leads: membership.role === 'lead',
      observes: !isExpected(membership),
      by: by?.slack_user_id ?? null,
      asked:
        reminders.enabled && isExpected(membership)
          ? findPromptTimeIfAsked(team, reminders.prompt_at ?? team.prompt_at)
          : null,
      turnedOff: !reminders.enabled,
      notBefore: findEndOfQuietHours(reminders, timezone ?? team.timezone, clock.now(), zones),
    };
  };
}

function findPromptTimeIfAsked({schedule, paused}: Team, at: PromptAt): PromptAt | null {
  if (schedule === null || paused) return null;
  if (schedule.reminders.length > 0 || at === 'opening') return at;
  return at === 'both' ? 'opening' : null;
}
