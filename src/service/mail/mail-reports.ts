import type {Call} from '../../domain/core/access.js';
import {type IdSuffix, suffixOf} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import type {MailFact} from '../../domain/mail/mail.js';
import {findMondayOf} from '../../domain/schedules/week.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import {listAllRecords} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {createFactMailWrites} from '../core/queue-mail.js';
import {createLeadSummaries} from '../runs/lead-summaries.js';
import {createReminderReach} from '../runs/reminder-reach.js';
import {isLastRunOfWeek} from '../runs/run-looks.js';

/** The number of members whose mails one commit queues; each mail has six keys. */
const queuedAtOnce = 20;
const pageSize = 500;
/** The time (ms) after a run has closed in which its report is sent. */
const reportMs = 24 * 3_600_000;

/**
 * Queues the mails about a run that has closed, for the members of its team who want them: its report, and the
 * summary of the week if it was the last run of it. A lead with mail as the first channel gets the message
 * to leads in place of the report. Safe to repeat: each member gets one mail about each.
 */
export function createReportMailer(context: ServiceContext) {
  const {mutate, records, teams, clock} = context;
  const {findSummary} = createLeadSummaries(context);
  const findReach = createReminderReach(context);
  return async function mailReports(call: Call, suffix: IdSuffix<'run'>): Promise<void> {
    const {workspace, deadline} = call;
    const run = await records.findBySuffix(workspace, suffix, deadline);
    const team = run && (await teams.all({workspace, deadline})).byReference(run.team_id);
    // A run that closed too late, because the service was down, gets no report.
    const isLate = run?.missed_steps.some(({step}) => step === 'close');
    if (run === undefined || team === undefined || run.closed_at === null || isLate) return;
    const query = {list: lists.teamMembers(team.id), limit: pageSize, upward: true};
    const memberships = await listAllRecords(records, call, query);
    const isLast = await isLastRunOfWeek(records, call, team, run);
    const until = Date.parse(run.closed_at) + reportMs;
    // The pause of a team ends its week, perhaps days after the last run has closed.
    const weekUntil = team.paused ? clock.now() + reportMs : until;
    // The pause of a team asks again about a run whose report may be too old by then.
    const isRecent = until > clock.now();
    const report: MailFact = {kind: 'report', run: suffix};
    const week: MailFact = {
      kind: 'week',
      team: suffixOf(team.id),
      monday: findMondayOf(run.date),
      run: suffix,
    };
    const summary: MailFact = {kind: 'notice', about: 'lead_summary', run: suffix};
    const [found, reachOf] = await Promise.all([findSummary(call, suffix), findReach(call)]);
    const idsOf = (some: typeof memberships) => new Set(some.map(({member}) => member.id));
    const leads = idsOf(found === undefined ? [] : memberships.filter(({role}) => role === 'lead'));
    const accepted = idsOf(memberships.filter((membership) => membership.accepted));
    const ids = [...new Set([...accepted, ...leads])];
    for (let from = 0; from < ids.length; from += queuedAtOnce) {
      const some = ids.slice(from, from + queuedAtOnce);
      await mutate(call, async () => {
        const members = (await records.findMany(workspace, some, deadline)).flatMap((member) => {
          const to = member?.email ?? null;
          return member === undefined || to === null || member.email_status === 'refused'
            ? []
            : [{...member, to}];
        });
        const listFacts = (member: Member): MailFact[] => {
          const {id, reports} = member;
          const isNotified = leads.has(id) && reports.notices && reachOf(member).channel === 'mail';
          const own = isNotified ? [summary] : reports.daily && accepted.has(id) ? [report] : [];
          return [...(isRecent ? own : []), ...(isLast && reports.weekly && accepted.has(id) ? [week] : [])];
        };
        const wanting = members.filter((member) => listFacts(member).length > 0);
        return {
          // Nothing is queued for a member who has left since, or who has another address.
          guards: wanting.map(({id, revision}) => ({check: 'revision', id, revision}) as const),
          writes: wanting.flatMap((member) =>
            listFacts(member).flatMap((fact) => {
              const expires = fact === week ? weekUntil : until;
              return createFactMailWrites(context, {fact, to: member.to, member: member.id, until: expires});
            }),
          ),
          events: [],
          reply: {kind: 'empty'},
        };
      });
    }
  };
}
