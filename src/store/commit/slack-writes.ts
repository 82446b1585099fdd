import type {SlackWrite} from '../../domain/commit/writes.js';
import {lists, createSlackUserEntry} from '../../domain/core/lists.js';
import {connectSlackLua, deleteKeysLua, keepTypedLua, listAsRemovedLua} from '../core/compiled/lua.js';
import {createStep, createPlainStep, type StepsOf} from './step.js';

export const slackSteps: StepsOf<SlackWrite> = {
  'connect-slack': ({id, encrypted, name, by = ''}, {keys}) =>
    createPlainStep(
      connectSlackLua,
      [keys.slackInstallation(), keys.slackToken(), keys.slackReady(), keys.head()],
      [id, encrypted, name, by],
    ),
  'disconnect-slack': (_, {keys}) => createPlainStep(deleteKeysLua, [keys.slackToken()]),
  'leave-slack': ({member, slackUser}, {keys, retention}) =>
    createStep({
      keys: [keys.list(lists.removedOf(member))],
      args: [createSlackUserEntry(slackUser)],
      fixed: [retention.events],
      write: listAsRemovedLua,
    }),
  'keep-typed': ({slackUser, version, json}, {keys}) =>
    createPlainStep(keepTypedLua, [keys.typed(slackUser)], [`${version} ${json}`]),
};
