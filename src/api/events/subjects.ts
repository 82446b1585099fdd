import {z} from 'zod';
import type {EventType} from '../../domain/events/event.js';
import {absence, longerAbsence} from '../absences/examples.js';
import {holidayCalendar} from '../absences/holiday-calendar-examples.js';
import {holidayCalendarSchema} from '../../domain/absences/holidays.js';
import {absenceSchema} from '../../domain/absences/absence.js';
import {acknowledgedBlocker, blocker, resolvedBlocker} from '../blockers/examples.js';
import {blockerSchema} from '../../domain/blockers/blocker.js';
import {comment, editedComment} from '../comments/examples.js';
import {commentSchema} from '../../domain/comments/comment.js';
import {completedImport} from '../imports/examples.js';
import {importSchema} from '../../domain/imports/import.js';
import {invite, usedInvite} from '../invites/examples.js';
import {inviteRevisionSchema, inviteUseSchema} from '../../domain/invites/invite.js';
import {member, renamedMember} from '../members/examples.js';
import {memberSchema} from '../../domain/workspaces/workspace.js';
import {closedRun, lateRun, missedRun, openRun} from '../runs/examples.js';
import {runSchema} from '../../domain/runs/run.js';
import {longerReaction, reaction} from '../reactions/examples.js';
import {reactionSchema} from '../../domain/reactions/reaction.js';
import {remindedRunSchema} from '../runs/schemas.js';
import {editedStandup, standup} from '../standups/examples.js';
import {standupSchema} from '../../domain/standups/standup.js';
import {team} from '../teams/examples.js';
import {teamSchema} from '../../domain/teams/team.js';
import {teamLead, teamMember} from '../teams/team-member-examples.js';
import {teamMemberSchema} from '../../domain/teams/team.js';
import {accessToken} from '../tokens/examples.js';
import {tokenRevisionSchema} from '../../domain/core/access.js';
import {passkey, renamedPasskey} from '../tokens/passkey-examples.js';
import {passkeyRevisionSchema} from '../../domain/tokens/passkey.js';
import {webhook} from '../webhooks/examples.js';
import {webhookSchema} from '../../domain/webhooks/webhook.js';
import {failingWebhookSchema} from '../webhooks/schemas.js';
import {workspace} from '../workspaces/examples.js';
import {workspaceSchema} from '../../domain/workspaces/workspace.js';

const reason = z.string().nullable().meta({
  description:
    "The reason: Slack's code, such as `not_in_channel` or `is_archived`; `no_answer`, `http_…` or `fault` if Slack failed for too long; `outcome_unknown` if the result is unknown. Null if it is unknown.",
});
const sentStandup = standupSchema
  .extend({
    update_plain: z
      .string()
      .optional()
      .meta({description: 'The text without Markdown, only for webhooks with `plain_text`.'}),
  })
  .meta({id: 'Standup', description: 'One update by one author for one team on one date.'});
const unshownStandup = sentStandup
  .extend({reason})
  .meta({id: 'UnshownStandup', description: 'A standup, with the reason why Slack does not show it.'});
const unshownRun = runSchema
  .extend({reason})
  .meta({id: 'UnshownRun', description: 'A run, with the reason why Slack does not show its report.'});

const mailReason = z.string().nullable().meta({
  description:
    'The reason: `smtp_` and the reply code of the mail server, such as `smtp_550`; `refused`; or `bounced`, for a message that came back later.',
});
const unreachedMember = memberSchema
  .extend({reason: mailReason})
  .meta({id: 'UnreachedMember', description: 'A member, with the reason why a mail did not arrive.'});
const undeliveredInvite = inviteRevisionSchema
  .extend({reason: mailReason})
  .meta({id: 'UndeliveredInvite', description: 'An invite, with the reason why its mail did not arrive.'});

/** The resource that events of one type report on, with an example. */
interface EventSubject {
  readonly schema: z.ZodType;
  readonly data: object;
  /** The earlier values of the changed fields, for event types that show them. */
  readonly previous?: object;
  /** True if the service itself causes the event, without a caller. */
  readonly bySystem?: true;
}

export const eventSubjects: Readonly<Record<EventType, EventSubject>> = {
  'import.completed': {schema: importSchema, data: completedImport},
  'standup.created': {schema: sentStandup, data: standup},
  'standup.updated': {
    schema: sentStandup,
    data: editedStandup,
    previous: {update: standup.update, edited: false},
  },
  'standup.deleted': {schema: sentStandup, data: standup},
  'team.created': {schema: teamSchema, data: {...team, revision: 1, updated_at: team.created_at}},
  'team.updated': {schema: teamSchema, data: team, previous: {slack_channel_id: null}},
  'team.deleted': {schema: teamSchema, data: team},
  'team.member_added': {schema: teamMemberSchema, data: teamMember},
  'team.member_updated': {schema: teamMemberSchema, data: teamLead, previous: {role: 'member'}},
  'team.member_removed': {schema: teamMemberSchema, data: teamMember},
  'member.joined': {schema: memberSchema, data: member},
  'member.updated': {schema: memberSchema, data: renamedMember, previous: {name: member.name}},
  'member.left': {schema: memberSchema, data: member},
  'member.mail_failed': {schema: unreachedMember, bySystem: true, data: {...member, reason: 'smtp_550'}},
  'invite.created': {schema: inviteRevisionSchema, data: invite},
  'invite.accepted': {
    schema: inviteUseSchema,
    data: {...usedInvite, accepted_by: {type: 'member', id: member.id}},
  },
  'invite.revoked': {schema: inviteRevisionSchema, data: {...invite, state: 'revoked', revision: 2}},
  'invite.mail_failed': {schema: undeliveredInvite, bySystem: true, data: {...invite, reason: 'smtp_550'}},
  'absence.created': {schema: absenceSchema, data: absence},
  'absence.updated': {schema: absenceSchema, data: longerAbsence, previous: {until: absence.until}},
  'absence.deleted': {schema: absenceSchema, data: absence},
  'holiday_calendar.created': {schema: holidayCalendarSchema, data: holidayCalendar},
  'holiday_calendar.deleted': {schema: holidayCalendarSchema, data: holidayCalendar},
  'token.created': {schema: tokenRevisionSchema, data: accessToken},
  'token.revoked': {schema: tokenRevisionSchema, data: accessToken},
  'passkey.created': {schema: passkeyRevisionSchema, data: passkey},
  'passkey.updated': {
    schema: passkeyRevisionSchema,
    data: renamedPasskey,
    previous: {name: passkey.name},
  },
  'passkey.deleted': {schema: passkeyRevisionSchema, data: passkey},
  'workspace.updated': {schema: workspaceSchema, data: workspace, previous: {name: 'Example'}},
  'webhook.created': {schema: webhookSchema, data: webhook},
  'webhook.updated': {schema: webhookSchema, data: {...webhook, revision: 2}, previous: {description: null}},
  'webhook.deleted': {schema: webhookSchema, data: webhook},
  'webhook.failing': {
    schema: failingWebhookSchema,
    bySystem: true,
    data: {...webhook, failing_since: '2026-11-20T21:00:00.000Z'},
  },
  'webhook.disabled': {
    schema: webhookSchema,
    bySystem: true,
    data: {
      ...webhook,
      enabled: false,
      disabled_reason: 'gone',
      disabled_at: '2026-11-23T09:00:00.000Z',
      revision: 2,
    },
    previous: {enabled: true, disabled_reason: null, disabled_at: null},
  },
  'webhook.test': {schema: webhookSchema, data: webhook},
  'run.opened': {schema: runSchema, bySystem: true, data: openRun},
  'run.reminded': {
    schema: remindedRunSchema,
    bySystem: true,
    data: {...openRun, reminder: {at: 'before_closing', minutes: 60, members: [member.id]}},
  },
  'run.closed': {schema: runSchema, bySystem: true, data: closedRun},
  'run.missed': {schema: runSchema, bySystem: true, data: missedRun},
  'run.cancelled': {schema: runSchema, data: {...closedRun, state: 'cancelled', report: null}},
  'run.updated': {schema: runSchema, data: lateRun, previous: {report: closedRun.report}},
  'blocker.raised': {schema: blockerSchema, data: blocker},
  'blocker.updated': {
    schema: blockerSchema,
    data: {...blocker, text: 'CI is red on main.', revision: 2},
    previous: {text: blocker.text},
  },
  'blocker.acknowledged': {schema: blockerSchema, data: acknowledgedBlocker},
  'blocker.resolved': {schema: blockerSchema, data: resolvedBlocker},
  'blocker.deleted': {schema: blockerSchema, data: blocker},
  'comment.created': {schema: commentSchema, data: comment},
  'comment.updated': {
    schema: commentSchema,
    data: editedComment,
    previous: {text: comment.text, edited: false},
  },
  'comment.deleted': {schema: commentSchema, data: comment},
  'reaction.created': {schema: reactionSchema, data: reaction},
  'reaction.updated': {schema: reactionSchema, data: longerReaction, previous: {emoji: reaction.emoji}},
  'reaction.deleted': {schema: reactionSchema, data: reaction},
  'slack.connected': {schema: workspaceSchema, data: workspace},
  'slack.disconnected': {schema: workspaceSchema, data: workspace},
  'slack.post_failed': {schema: unshownStandup, bySystem: true, data: {...standup, reason: 'not_in_channel'}},
  'slack.report_failed': {schema: unshownRun, bySystem: true, data: {...closedRun, reason: 'is_archived'}},
};
