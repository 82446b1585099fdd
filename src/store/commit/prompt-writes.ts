import type {PromptWrite} from '../../domain/commit/writes.js';
import {type IdSuffix, suffixOf} from '../../domain/core/ids.js';
import {mailRecipient} from '../../domain/prompts/prompt.js';
import {slackItemName} from '../../domain/slack/slack-post.js';
import {addPromptLua, noteUnreachableLua, recordReminderLua, snoozePromptLua} from '../core/compiled/lua.js';
import {findPromptQueue} from '../prompts/prompt-queue.js';
import {unreachableLifetime} from '../prompts/prompts.js';
import {createPlainStep, type StepsOf} from './step.js';
import type {WorkspaceKeys} from '../core/keys.js';

/** Returns the keys, the pending item and the queue for the message of a day. */
function createPromptStepParts(
  keys: WorkspaceKeys,
  {member, date}: {readonly member: IdSuffix<'member'>; readonly date: string},
  user: string,
) {
  const queue = findPromptQueue(keys, user);
  const state = [keys.slackPrompt(member, date), queue.pending, queue.ready] as const;
  return {state, item: slackItemName({kind: 'prompt', member, date}), queue};
}

export const promptSteps: StepsOf<PromptWrite> = {
  'snooze-prompt': (write, {keys}) => {
    const {state, item, queue} = createPromptStepParts(keys, write, write.user);
    return createPlainStep(snoozePromptLua, state, [item, queue.name, String(write.until)], queue.work);
  },
  prompt: (write, {keys}) => {
    const {date, user} = write;
    const member = suffixOf(write.member);
    const {state, item, queue} = createPromptStepParts(keys, {member, date}, user);
    const run = suffixOf(write.run);
    return createPlainStep(
      addPromptLua,
      [...state, keys.slackPromptsOf(write.run), ...queue.kept],
      [
        item,
        queue.name,
        user,
        `run:${run}`,
        String(write.closesAt),
        String(write.notBefore),
        `${member}/${date}`,
        `due:${run}`,
        write.moment,
      ],
      queue.work,
    );
  },
  'record-reminder': (write, {keys}) => {
    const {state, item, queue} = createPromptStepParts(keys, write, mailRecipient);
    const {next, sent, forget = false} = write;
    return createPlainStep(recordReminderLua, state, [
      item,
      queue.name,
      next === null ? '' : String(next),
      sent?.mail ?? '',
      String(sent?.take ?? ''),
      forget ? '1' : '0',
    ]);
  },
  'note-unreachable': ({run, member, code}, {keys}) =>
    createPlainStep(
      noteUnreachableLua,
      [keys.slackUnreachable(run)],
      [member, code ?? '', String(unreachableLifetime)],
    ),
};
