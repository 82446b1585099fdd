import type {Call} from '../../domain/core/access.js';
import {emptyCommit} from '../../domain/commit/commit.js';
import type {Write} from '../../domain/commit/writes.js';
import {
  findFirstSendTime,
  findLatestMoment,
  listOpenLines,
  type Prompt,
  type PromptLine,
} from '../../domain/prompts/prompt.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {createReminderReach} from '../runs/reminder-reach.js';
import {createPromptService} from './prompts.js';

/** Moves reminders that wait to another channel, since their people chose one or changed their account. */
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
      const {to} = reachOf(member);
      const open = listOpenLines(state);
      if (state === undefined || to === undefined || to === user || open.length === 0) return emptyCommit;
      return {
        guards: [{check: 'revision', id: member.id, revision: member.revision}],
        writes: planMove(member, prompt, {open, at: findFirstSendTime(prompt, state), to}),
        events: [],
        reply: {kind: 'empty'},
      };
    });
  };
}

/** Plans that another channel has a reminder from now on, with what is open and its snooze. */
export function planMove(
  {id}: Member,
  prompt: Prompt,
  {open, at, to}: {readonly open: readonly PromptLine[]; readonly at: number; readonly to: string},
): Write[] {
  const {member, date, snoozed} = prompt;
  const moment = findLatestMoment(prompt);
  return [
    ...open.map(
      ({run, team, closesAt}): Write => ({
        do: 'prompt',
        member: id,
        user: to,
        date,
        team: team.id,
        run,
        closesAt,
        moment,
        notBefore: at,
      }),
    ),
    ...(snoozed === undefined
      ? []
      : [{do: 'snooze-prompt', member, user: to, date, until: snoozed} as const]),
  ];
}
