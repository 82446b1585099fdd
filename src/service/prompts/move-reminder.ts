import type {Call, RequestContext} from '../../domain/core/access.js';
import {type CommitPart, emptyCommit, nothing} from '../../domain/commit/commit.js';
import type {Write} from '../../domain/commit/writes.js';
import type {Mail} from '../../domain/mail/mail.js';
import {
  browserRecipient,
  findFirstSendTime,
  findLatestMoment,
  listOpenLines,
  mailRecipient,
  type Prompt,
  type PromptLine,
} from '../../domain/prompts/prompt.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {createReminderReach, planRefusal, type ReminderReach} from '../runs/reminder-reach.js';
import {createPromptService, createSnoozeGuard} from './prompts.js';

interface Move {
  readonly open: readonly PromptLine[];
  /** The earliest instant (ms) at which the other channel reminds. */
  readonly at: number;
  readonly reach: ReminderReach;
}

/** Moves waiting reminders to another channel, after their people chose one or changed their account. */
export function createReminderMover(context: ServiceContext) {
  const {mutate, prompts, records} = context;
  const {findState} = createPromptService(context);
  const findReach = createReminderReach(context);

  /**
   * Moves a reminder that was never sent to the channel that reaches its member now. Does nothing if that is
   * its channel, or if there is none.
   */
  return async function moveReminder(call: Call, {member: suffix, date, user}: Prompt): Promise<void> {
    const {workspace, deadline} = call;
    await mutate(call, async () => {
      const [prompt, member] = await Promise.all([
        prompts.find(workspace, suffix, date, deadline),
        records.findBySuffix(workspace, suffix, deadline),
      ]);
      if (prompt?.user !== user || member === undefined || !member.reminders.enabled) return emptyCommit;
      const [state, reachOf] = await Promise.all([findState(call, prompt), findReach(call)]);
      const reach = reachOf(member);
      const {to} = reach;
      const open = listOpenLines(state);
      if (state === undefined || to === undefined || to === user || open.length === 0) return emptyCommit;
      return {
        guards: [{check: 'revision', id: member.id, revision: member.revision}, createSnoozeGuard(prompt)],
        writes: planMove(member, prompt, {open, at: findFirstSendTime(prompt, state), reach}),
        events: [],
        reply: {kind: 'empty'},
      };
    });
  };
}

/**
 * Plans how a reminder goes on after its mail was dropped, because its member has another address or channel
 * by now. Plans nothing if the member needs no reminder any more, or gets another one anyway.
 */
export function createDroppedReminderPlanner(context: ServiceContext) {
  const {prompts, records} = context;
  const {findState} = createPromptService(context);
  const findReach = createReminderReach(context);

  return async function planAfterDrop(
    asked: RequestContext,
    {fact, member: owner, suffix}: Mail,
  ): Promise<Pick<CommitPart, 'guards' | 'writes'>> {
    if (fact.kind !== 'reminder' || owner === undefined) return nothing;
    const {workspace, deadline} = asked;
    const [prompt, member] = await Promise.all([
      prompts.find(workspace, owner, fact.date, deadline),
      records.findBySuffix(workspace, owner, deadline),
    ]);
    const isLatest = prompt?.user === mailRecipient && prompt.ts === suffix && prompt.snoozed === undefined;
    if (!isLatest || !member?.reminders.enabled) return nothing;
    const [state, reachOf] = await Promise.all([findState(asked, prompt), findReach(asked)]);
    const open = listOpenLines(state);
    if (state === undefined || open.length === 0) return nothing;
    const reach = reachOf(member);
    const {date} = prompt;
    const at = state.quietUntil;
    return {
      guards: [{check: 'revision', id: member.id, revision: member.revision}, createSnoozeGuard(prompt)],
      writes:
        reach.to === mailRecipient
          ? [{do: 'snooze-prompt', member: owner, user: mailRecipient, date, until: at}]
          : planMove(member, prompt, {open, at, reach}),
    };
  };
}

/**
 * Plans that another channel takes over a reminder, with the runs that are open and its snooze. Without a
 * channel, open tabs take it over.
 */
export function planMove({id}: Member, prompt: Prompt, {open, at, reach}: Move): Write[] {
  const {member, date, snoozed} = prompt;
  const moment = findLatestMoment(prompt);
  const {to = browserRecipient} = reach;
  return [
    ...open.flatMap(({run, team, closesAt}): Write[] => [
      ...planRefusal(reach, run, id),
      {
        do: 'prompt',
        member: id,
        user: to,
        date,
        team: team.id,
        run,
        closesAt,
        moment,
        notBefore: at,
      },
    ]),
    ...(snoozed === undefined
      ? []
      : [{do: 'snooze-prompt', member, user: to, date, until: snoozed} as const]),
  ];
}
