import type {InboxWrite} from '../../domain/commit/writes.js';
import {deleteKeysLua, notifyLua, readInboxItemLua, readInboxLua} from '../core/compiled/lua.js';
import {createPlainStep, type StepsOf} from './step.js';

/** More than the number of any event. */
const anyEvent = String(Number.MAX_SAFE_INTEGER);

export const inboxSteps: StepsOf<InboxWrite> = {
  notify: ({member, standup, reason, by, about}, {keys}) =>
    createPlainStep(
      notifyLua,
      [keys.inbox(member), keys.unread(member), keys.inboxItems(member)],
      [standup, reason, by, about],
    ),
  'read-inbox': ({member, standup, until}, {keys}) => {
    const last = until === undefined ? anyEvent : String(until);
    return standup === null
      ? createPlainStep(readInboxLua, [keys.unread(member)], [last])
      : createPlainStep(readInboxItemLua, [keys.unread(member)], [standup, last]);
  },
  'drop-inbox': ({member}, {keys}) =>
    createPlainStep(deleteKeysLua, [keys.inbox(member), keys.unread(member), keys.inboxItems(member)]),
};
