import type {InboxWrite} from '../../domain/commit/writes.js';
import {suffixOf} from '../../domain/core/ids.js';
import {type Work, workName} from '../../domain/core/work.js';
import {formatDueNotice} from '../inbox/inboxes.js';
import {
  deleteKeysLua,
  muteInboxLua,
  notifyLua,
  readInboxItemLua,
  readInboxLua,
  recordNoticeLua,
} from '../core/compiled/lua.js';
import {createPlainStep, type StepsOf} from './step.js';

/** More than the number of any event. */
const anyEvent = String(Number.MAX_SAFE_INTEGER);

const work: Work = {kind: 'notify'};

export const inboxSteps: StepsOf<InboxWrite> = {
  notify: ({member, standup, reason, by, about, sends, named}, {keys}) =>
    createPlainStep(
      notifyLua,
      [
        keys.inbox(member),
        keys.unread(member),
        keys.inboxItems(member),
        keys.noticesDue(),
        keys.ready(),
        keys.muted(member),
      ],
      [
        standup,
        reason,
        by,
        about,
        sends ? formatDueNotice({member: suffixOf(member), standup}) : '',
        workName(work),
        named ? '1' : '0',
      ],
    ),
  'mute-inbox': ({member, standup, mutes}, {keys}) =>
    createPlainStep(muteInboxLua, [keys.muted(member)], [standup, mutes ? '1' : '0']),
  'record-notice': ({member, standup, next}, {keys}) =>
    createPlainStep(
      recordNoticeLua,
      [keys.noticesDue(), keys.ready()],
      [formatDueNotice({member, standup}), workName(work), next === null ? '' : String(next)],
    ),
  'read-inbox': ({member, standup, until}, {keys}) => {
    const last = until === undefined ? anyEvent : String(until);
    return standup === null
      ? createPlainStep(readInboxLua, [keys.unread(member)], [last])
      : createPlainStep(readInboxItemLua, [keys.unread(member)], [standup, last]);
  },
  'drop-inbox': ({member}, {keys}) =>
    createPlainStep(deleteKeysLua, [
      keys.inbox(member),
      keys.unread(member),
      keys.inboxItems(member),
      keys.muted(member),
    ]),
};
