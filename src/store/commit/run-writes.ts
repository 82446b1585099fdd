import type {RunWrite} from '../../domain/commit/writes.js';
import {type Work, workName} from '../../domain/core/work.js';
import * as lua from '../core/compiled/lua.js';
import {createStep, createPlainStep, type StepsOf} from './step.js';

export const runSteps: StepsOf<RunWrite> = {
  'take-steps': ({run, steps, after = -1}, {keys}) =>
    createStep({
      keys: [keys.runSteps(run)],
      args: [String(after), steps.join(' ')],
      check: lua.requireStepsFreeLua,
      write: lua.takeStepsLua,
    }),
  'drop-steps': ({run}, {keys}) =>
    createPlainStep(lua.deleteKeysLua, [keys.runSteps(run), keys.runPosts(run)]),
  'count-run-post': ({run}, {keys}) => createPlainStep(lua.countRunPostLua, [keys.runPosts(run)]),
  'ask-look': ({team, after}, {keys}) => {
    if (after === 'step') return createPlainStep(lua.voidScheduleChecksLua, [keys.looks()], [team]);
    const work: Work = {kind: 'schedule', team};
    const write = after === 'settled' ? lua.requestSettledCheckLua : lua.requestScheduleCheckLua;
    return createPlainStep(write, [keys.looks(), keys.ready()], [team, workName(work)], work);
  },
  'look-again': ({team, seen, next}, {keys}) =>
    createPlainStep(
      lua.finishScheduleCheckLua,
      [keys.looks(), keys.ready()],
      [team, String(seen), workName({kind: 'schedule', team}), String(next ?? '')],
    ),
  'forget-looks': ({team}, {keys}) =>
    createPlainStep(
      lua.forgetScheduleChecksLua,
      [keys.looks(), keys.ready()],
      [team, workName({kind: 'schedule', team})],
    ),
};
