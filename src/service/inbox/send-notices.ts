import {type Commit, emptyCommit} from '../../domain/commit/commit.js';
import type {Write} from '../../domain/commit/writes.js';
import type {Call} from '../../domain/core/access.js';
import {dayNumber, toInstant} from '../../domain/core/dates.js';
import {type IdSuffix, suffixOf} from '../../domain/core/ids.js';
import {mailOfFact} from '../../domain/mail/mail.js';
import {findEndOfQuietHours} from '../../domain/prompts/prompt.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {DueNotice} from '../../store/inbox/inboxes.js';
import type {ServiceContext} from '../core/context.js';
import {createNoticeWrites, limitNotices} from '../core/queue-mail.js';
import {createReminderReach} from '../runs/reminder-reach.js';
import type {FindNews} from './news.js';

/**
 * Looks at the first item of an inbox that may have to be sent, and asks for its message if it is still unread: by
 * the first channel that reaches the member, as a reminder. Returns false if none is due. Safe to run at any time,
 * any number of times at once.
 */
export type SendNotice = (call: Call) => Promise<boolean>;

export function createNoticeSender(
  context: ServiceContext,
  {findNews}: {readonly findNews: FindNews},
): SendNotice {
  const {mutate, inboxes, records, mails, slackPosts, sha256, clock, zones} = context;
  const findReach = createReminderReach(context);

  /** Plans the mail about a standup, unless the member has had one about it today. */
  async function planMail(
    call: Call,
    standup: IdSuffix<'standup'>,
    {id: member, email: to, reports}: Member,
  ): Promise<Write[]> {
    if (to === null || !reports.notices) return [];
    const day = dayNumber(toInstant(clock.now()).slice(0, 10));
    const fact = {kind: 'notice', about: 'inbox', standup, day} as const;
    const known = mailOfFact(sha256, fact, suffixOf(member));
    if ((await mails.find(call.workspace, known, call.deadline)) !== undefined) return [];
    const notices = createNoticeWrites(context, fact, {member, to});
    return limitNotices(context, call, {kind: fact.about, about: to}, notices);
  }

  /** Plans the direct message about what is unread since an event. An existing one is edited. */
  async function planDirectMessage(call: Call, slackUser: string, sequence: number): Promise<Write[]> {
    const asked = [{do: 'ask-notice', slackUser, sequence}] as const;
    const known = await slackPosts.findNotice(call.workspace, slackUser, sequence, call.deadline);
    if (known !== undefined) return [...asked];
    return limitNotices(context, call, {kind: 'inbox', about: slackUser}, asked);
  }

  /** Plans one look. Only one look commits, because each changes the due time of the item. */
  async function planLook(call: Call, {member: suffix, standup, due}: DueNotice): Promise<Commit> {
    const record = (next: number | null, member?: Member, writes: readonly Write[] = []): Commit => ({
      effect: writes.length === 0 ? 'release' : 'growth',
      guards: [
        {check: 'notice-due', member: suffix, standup, due},
        // After a change of the member, such as of their address or their choice, the look is planned again.
        ...(member === undefined
          ? []
          : [{check: 'revision', id: member.id, revision: member.revision} as const]),
      ],
      writes: [{do: 'record-notice', member: suffix, standup, next}, ...writes],
      events: [],
      reply: {kind: 'empty'},
    });
    const member = await records.findBySuffix(call.workspace, suffix, call.deadline);
    const found = member && (await findNews(call, member, (entry) => entry.standup === standup));
    if (member === undefined || found === undefined) return record(null);
    const zone = member.timezone ?? found.timezone;
    const end = findEndOfQuietHours(member.reminders, zone, clock.now(), zones);
    if (end > clock.now()) return record(end, member);
    const {channel, to} = (await findReach(call))(member);
    if (channel === 'slack') return record(null, member, await planDirectMessage(call, to, found.since));
    return record(null, member, channel === 'mail' ? await planMail(call, standup, member) : []);
  }

  return async function sendNotice(call) {
    // After a jump of the clock, an item may seem due that is not.
    if (!clock.isSteady()) return false;
    let acted = false;
    await mutate(call, async () => {
      const due = await inboxes.findDue(call.workspace, clock.now(), call.deadline);
      acted = due !== undefined;
      return due === undefined ? emptyCommit : planLook(call, due);
    });
    return acted;
  };
}
