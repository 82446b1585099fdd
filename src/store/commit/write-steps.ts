import type {TeamWrite, TokenWrite, WorkWrite, Write} from '../../domain/commit/writes.js';
import {suffixOf} from '../../domain/core/ids.js';
import {workName} from '../../domain/core/work.js';
import {draftSteps} from './draft-writes.js';
import {erasureSteps} from './erasure-writes.js';
import {importSteps} from './import-writes.js';
import {mailSteps} from './mail-writes.js';
import {promptSteps} from './prompt-writes.js';
import {recordSteps} from './record-writes.js';
import {replaySteps} from './replay-writes.js';
import {runSteps} from './run-writes.js';
import {slackSteps} from './slack-writes.js';
import {createPlainStep, createStep, type Step, type StepsOf, type WriteContext} from './step.js';
import {webhookSteps} from './webhook-writes.js';
import * as lua from '../core/compiled/lua.js';
import {serializeMembership} from '../core/records.js';
import {formatPasskeyUse} from '../../domain/tokens/passkey.js';

const workSteps: StepsOf<WorkWrite> = {
  'begin-work': ({work, ifListed}, {keys}) =>
    ifListed === undefined
      ? createPlainStep(lua.addWorkLua, [keys.ready()], [workName(work)], work)
      : createPlainStep(
          lua.addWorkIfListedLua,
          [keys.ready(), ...ifListed.map(keys.list)],
          [workName(work)],
          work,
        ),
};

const teamSteps: StepsOf<TeamWrite> = {
  'set-membership': ({team, member, membership}, {keys}) => {
    const [members, suffix] = [[keys.teamMembers(team)], suffixOf(member)];
    return membership === null
      ? createPlainStep(lua.deleteFieldLua, members, [suffix])
      : createPlainStep(lua.setFieldLua, members, [suffix, serializeMembership(membership)]);
  },
  disband: ({team}, {keys}) => createPlainStep(lua.deleteKeysLua, [keys.teamMembers(team)]),
};

const tokenSteps: StepsOf<TokenWrite> = {
  'admit-token': ({suffix, admitted}, {keys}) =>
    admitted === null
      ? createPlainStep(lua.revokeTokenLua, [keys.liveToken(suffix), keys.tokenUse()], [suffix])
      : createPlainStep(
          lua.admitTokenLua,
          [keys.liveToken(suffix)],
          [String(admitted.until), admitted.proof ?? '1'],
        ),
  'count-invite': ({address, day, from}, {keys}) =>
    createStep({
      keys: [keys.invited(address, day)],
      args: [String(from)],
      check: lua.requireInviteCountLua,
      write: lua.countInviteLua,
    }),
  'note-passkey-use': ({suffix, use}, {keys}) =>
    use === null
      ? createPlainStep(lua.deleteFieldLua, [keys.passkeyUse()], [suffix])
      : createPlainStep(lua.setFieldLua, [keys.passkeyUse()], [suffix, formatPasskeyUse(use)]),
};

/** The step for each kind of write. A missing kind does not compile. */
const steps: StepsOf<Write> = {
  ...recordSteps,
  ...workSteps,
  ...teamSteps,
  ...tokenSteps,
  ...runSteps,
  ...webhookSteps,
  ...replaySteps,
  ...slackSteps,
  ...promptSteps,
  ...mailSteps,
  ...draftSteps,
  ...erasureSteps,
  ...importSteps,
};

export function createWriteStep(write: Write, context: WriteContext): Step {
  // The compiler cannot infer that the step matches this kind of write.
  const step = steps[write.do] as (write: Write, context: WriteContext) => Step;
  return step(write, context);
}
