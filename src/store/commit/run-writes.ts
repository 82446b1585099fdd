import type {RunWrite} from '../../domain/commit/writes.js';
import {type Work, workName} from '../../domain/core/work.js';
import * as lua from '../core/compiled/lua.js';
import {createStep, createWrite, type StepsOf} from './step.js';

export const runSteps: StepsOf<RunWrite> = {
  'take-steps': ({run, steps, after = -1}, {keys}) =>
    createStep({
      keys: [keys.runSteps(run)],
      args: [String(after), steps.join(' ')],
      check: lua.requireStepsFreeLua,
      write: lua.takeStepsLua,
    }),
  'drop-steps': ({run}, {keys}) => createWrite(lua.deleteKeysLua, [keys.runSteps(run), keys.runPosts(run)]),
  'count-run-post': ({run}, {keys}) => createWrite(lua.countRunPostLua, [keys.runPosts(run)]),
  'ask-look': ({team, after}, {keys}) => {
    if (after === 'step') return createWrite(lua.voidScheduleChecksLua, [keys.looks()], [team]);
    const work: Work = {kind: 'schedule', team};
    const write = after === 'settled' ? lua.requestSettledCheckLua : lua.requestScheduleCheckLua;
    return createWrite(write, [keys.looks(), keys.ready()], [team, workName(work)], work);
  },
  'look-again': ({team, seen, next}, {keys}) =>
    createWrite(
      lua.finishScheduleCheckLua,
      [keys.looks(), keys.ready()],
      [team, String(seen), workName({kind: 'schedule', team}), String(next ?? '')],
    ),
  'forget-looks': ({team}, {keys}) =>
    createWrite(
      lua.forgetScheduleChecksLua,
      [keys.looks(), keys.ready()],
      [team, workName({kind: 'schedule', team})],
    ),
};
