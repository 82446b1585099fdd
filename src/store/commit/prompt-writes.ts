import type {PromptWrite} from '../../domain/commit/writes.js';
import {suffixOf} from '../../domain/core/ids.js';
import {slackItemName} from '../../domain/slack/slack-post.js';
import {type Work, workName} from '../../domain/core/work.js';
import {addPromptLua, snoozePromptLua} from '../core/compiled/lua.js';
import {createPlainStep, type StepsOf} from './step.js';
import type {WorkspaceKeys} from '../core/keys.js';

/** Returns the keys, the pending item and the name of the work for the message of a day. */
function createPromptStepParts(keys: WorkspaceKeys, {member, date, slackUser}: PromptWrite) {
  const memberSuffix = suffixOf(member);
  const work: Work = {kind: 'post-slack', channel: slackUser};
  const state = [
    keys.slackPrompt(memberSuffix, date),
    keys.slackPending(slackUser),
    keys.slackReady(),
  ] as const;
  return {state, memberSuffix, item: slackItemName({kind: 'prompt', member: memberSuffix, date}), work};
}

export const promptSteps: StepsOf<PromptWrite> = {
  'snooze-prompt': (write, {keys}) => {
    const {state, item, work} = createPromptStepParts(keys, write);
    return createPlainStep(snoozePromptLua, state, [item, workName(work), String(write.until)], work);
  },
  prompt: (write, {keys}) => {
    const {state, memberSuffix, item, work} = createPromptStepParts(keys, write);
    const run = suffixOf(write.run);
    return createPlainStep(
      addPromptLua,
      [...state, keys.slackPromptsOf(write.run), keys.slackKept(write.slackUser)],
      [
        item,
        workName(work),
        write.slackUser,
        `run:${run}`,
        String(write.closesAt),
        String(write.notBefore),
        `${memberSuffix}/${write.date}`,
        `due:${run}`,
        write.moment,
      ],
      work,
    );
  },
};
