import type {RequestContext} from '../../domain/core/access.js';
import {type Id, storedSuffix} from '../../domain/core/ids.js';
import type {LogEntry} from '../../domain/events/event.js';
import {findEndOfQuietHours} from '../../domain/prompts/prompt.js';
import type {Notice} from '../../domain/slack/notice-content.js';
import type {SlackRefresh} from '../../domain/slack/slack-post.js';
import {findByUniqueName} from '../core/member-references.js';
import type {ServiceContext} from '../core/context.js';
import {createLeadSummaries} from '../runs/lead-summaries.js';
import {createReminderReach} from '../runs/reminder-reach.js';

/** The age (ms) after which a closing notifies no one: the service was down then. */
const freshMs = 24 * 3_600_000;
const maxRecipients = 90;

/** Finds the message to the leads of a team whose run has closed, for those whose first channel is Slack. */
export function createLeadNotices(context: ServiceContext) {
  const {records, clock, zones, events, slackPosts} = context;
  const {findSummary, findSummaryOfRun, listLeads, isLead} = createLeadSummaries(context);
  const findReach = createReminderReach(context);
  return {
    /** Returns the Slack ids of the leads. */
    async listRecipients(call: RequestContext, {about, at}: LogEntry): Promise<string[]> {
      if (clock.now() - at > freshMs) return [];
      const found = await findSummary(call, storedSuffix<'run'>(about));
      if (found === undefined) return [];
      const [ids, reachOf] = await Promise.all([listLeads(call, found.team.id), findReach(call)]);
      const leads = await records.findMany(call.workspace, ids.slice(0, maxRecipients), call.deadline);
      return leads.flatMap((lead) => {
        const reach = lead && reachOf(lead);
        return reach?.channel === 'slack' ? [reach.to] : [];
      });
    },
    /** Returns the message for one of them. It has no content if they lead the team no more. */
    async find(call: RequestContext, {id: event, about}: LogEntry, person: string): Promise<Notice> {
      const [found, member] = await Promise.all([
        findSummaryOfRun(call, storedSuffix<'run'>(about)),
        findByUniqueName(records, call, 'slack-user', person),
      ]);
      const notice = {event, once: true, content: undefined};
      if (found === undefined || member === undefined) return notice;
      const {summary, team, isNeeded} = found;
      if (!(await isLead(call, team.id, member.id))) return notice;
      const {reminders, timezone} = member;
      return {
        ...notice,
        content: {kind: 'lead_summary', summary},
        // Nothing is sent any more, but a message that is there must not keep the name of an erased person.
        over: !isNeeded,
        notBefore: findEndOfQuietHours(reminders, timezone ?? team.timezone, clock.now(), zones),
      };
    },
    /** Lists the messages that the present leads of these teams have got, which may name a person. */
    async listShown(call: RequestContext, teams: readonly Id<'team'>[]): Promise<SlackRefresh[]> {
      const {workspace, deadline} = call;
      const found = await Promise.all(teams.map((team) => listLeads(call, team)));
      const leads = await records.findMany(workspace, [...new Set(found.flat())], deadline);
      const refreshes: SlackRefresh[] = [];
      for (const person of leads.flatMap((lead) => lead?.slack_user_id ?? [])) {
        for (const sequence of await slackPosts.listNotices(workspace, person, deadline)) {
          const entry = await events.findBySequence(workspace, sequence, deadline);
          if (entry?.type === 'run.closed')
            refreshes.push({channel: person, item: {kind: 'notice', sequence}});
        }
      }
      return refreshes;
    },
  };
}
