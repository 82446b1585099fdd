import type {Call} from '../../domain/core/access.js';
import {type Commit, emptyCommit} from '../../domain/commit/commit.js';
import type {Write} from '../../domain/commit/writes.js';
import {suffixFromBytes} from '../../domain/core/ids.js';
import {
  findFirstSendTime,
  findNextRepeatTime,
  listOpenLines,
  mailRecipient,
} from '../../domain/prompts/prompt.js';
import type {DuePrompt} from '../../store/prompts/prompts.js';
import type {ServiceContext} from '../core/context.js';
import {createQueueMailWrites} from '../core/queue-mail.js';
import {createReminderReach} from '../runs/reminder-reach.js';
import {planMove} from './move-reminder.js';
import {createPromptService} from './prompts.js';

/**
 * Looks at the first due reminder that goes by mail, and queues its mail if the person still needs it. Returns
 * false if none is due. Safe to run at any time, any number of times at once.
 */
export type RemindByMail = (call: Call) => Promise<boolean>;

export function createMailReminder(context: ServiceContext): RemindByMail {
  const {mutate, prompts, records, clock, sha256} = context;
  const {findState} = createPromptService(context);
  const findReach = createReminderReach(context);

  return async function remindByMail(call) {
    // After a jump of the clock, a run may seem over. So the looks wait, as the steps of runs do.
    if (!clock.isSteady()) return false;
    let acted = false;
    await mutate(call, async () => {
      const due = await prompts.findDue(call.workspace, call.deadline);
      acted = due !== undefined;
      return due === undefined ? emptyCommit : planLook(call, due);
    });
    return acted;
  };

  /** Plans one look. Only one look commits, because each changes the due time of the reminder. */
  async function planLook(call: Call, {member: suffix, date, due}: DuePrompt): Promise<Commit> {
    const {workspace, deadline} = call;
    const record = (
      more: Partial<Extract<Write, {do: 'record-reminder'}>> = {},
      beside: Partial<Commit> = {},
    ) => ({
      guards: [{check: 'prompt-due', member: suffix, date, due} as const, ...(beside.guards ?? [])],
      writes: [
        {do: 'record-reminder', member: suffix, date, next: null, ...more} as const,
        ...(beside.writes ?? []),
      ],
      events: [],
      reply: {kind: 'empty'} as const,
    });
    const [prompt, member] = await Promise.all([
      prompts.find(workspace, suffix, date, deadline),
      records.findBySuffix(workspace, suffix, deadline),
    ]);
    // The member has another channel by now, which has the reminder.
    if (prompt?.user !== mailRecipient) return record();
    const state = member && (await findState(call, prompt));
    if (member === undefined || state === undefined) return record({forget: true});
    const open = listOpenLines(state);
    if (open.length === 0) return record();
    const isFirst = prompt.ts === undefined;
    const at = isFirst ? findFirstSendTime(prompt, state) : findNextRepeatTime(prompt, state);
    if (at === undefined) return record();
    // Until the reminder is sent, the member may turn reminders on again, or choose another channel or address.
    const later = at > clock.now() ? {next: at} : {};
    if (!member.reminders.enabled) return record(later);
    // After a change of the member, such as of their address or their choice, the look is planned again.
    const isSame = {check: 'revision', id: member.id, revision: member.revision} as const;
    if (!state.wanted || member.email === null) {
      const reach = (await findReach(call))(member);
      if (reach.to === undefined && at > clock.now()) return record(later, {guards: [isSame]});
      const writes = planMove(member, prompt, {open, at, reach});
      return record({}, {guards: [isSame], writes});
    }
    if (at > clock.now()) return record(later);
    // A reminder left over from an earlier day becomes today's reminder, or is merged into it.
    if (state.today > date) {
      await prompts.moveTo({workspace}, prompt, state.today, deadline);
      return emptyCommit;
    }
    const take = isFirst ? prompt.take : prompt.take + 1;
    const fact = {kind: 'reminder', date, take} as const;
    // By the look, too, since `take` starts again after the reminder went by another channel.
    const mail = suffixFromBytes(sha256(`${suffix} ${date} ${due} ${take}`));
    const until = Math.max(...open.map(({closesAt}) => closesAt));
    const queued = createQueueMailWrites(context, {
      suffix: mail,
      fact,
      to: member.email,
      member: member.id,
      until,
    });
    return record({sent: {mail, take}}, {guards: [isSame], writes: queued});
  }
}
