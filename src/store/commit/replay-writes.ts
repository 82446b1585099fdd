import type {ReplayWrite} from '../../domain/commit/writes.js';
import {suffixOf} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {workName} from '../../domain/core/work.js';
import {cancelReplayLua, startReplayLua} from '../core/compiled/lua.js';
import {createPlainStep, type StepsOf} from './step.js';
import {encodePlan} from '../webhooks/replay-plan.js';

export const replaySteps: StepsOf<ReplayWrite> = {
  'start-replay': ({suffix, plan, instead}, {keys}) => {
    const work = {kind: 'replay', replay: suffix} as const;
    const webhook = suffixOf(plan.webhook);
    const replaced = instead === undefined ? [] : [keys.replayed(webhook), keys.replay(instead)];
    return createPlainStep(
      startReplayLua,
      [
        keys.replay(suffix),
        keys.list(lists.replaysOf(webhook)),
        keys.webhookState(webhook),
        keys.ready(),
        keys.list(lists.sendingReplaysOf(webhook)),
        ...replaced,
      ],
      [suffix, workName(work), plan.dryRun ? '1' : '0', instead ?? '', ...encodePlan(plan)],
      work,
    );
  },
  'cancel-replay': ({webhook, replay}, {keys}) => {
    const work = {kind: 'replay', replay} as const;
    const state = [keys.replay(replay), keys.webhookState(webhook), keys.ready()];
    return createPlainStep(cancelReplayLua, state, [replay, workName(work)], work);
  },
};
