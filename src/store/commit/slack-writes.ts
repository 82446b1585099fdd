import type {SlackWrite} from '../../domain/commit/writes.js';
import {lists, createSlackUserEntry} from '../../domain/core/lists.js';
import {type Work, workName} from '../../domain/core/work.js';
import {formatCopyField, greetingSequence, slackItemName} from '../../domain/slack/slack-post.js';
import {formatStatusLook} from '../../domain/slack/away-status.js';
import {formatKnownMessage} from '../../domain/slack/known-message.js';
import {
  askNoticeLua,
  connectSlackLua,
  deleteKeysLua,
  keepSlackMessageLua,
  keepTypedLua,
  listAsRemovedLua,
  noteSlackStatusLua,
  postReportLua,
} from '../core/compiled/lua.js';
import {createReportKey, slackPostLifetime} from '../slack/slack-items.js';
import {createStep, createPlainStep, type StepsOf} from './step.js';

export const slackSteps: StepsOf<SlackWrite> = {
  'connect-slack': ({id, encrypted, name, by = '', greets}, {keys}) => {
    const work: Work = {kind: 'post-slack', channel: greets};
    const item = {kind: 'notice', sequence: greetingSequence} as const;
    return createPlainStep(
      connectSlackLua,
      [
        keys.slackInstallation(),
        keys.slackToken(),
        keys.slackReady(),
        keys.head(),
        keys.slackNotice(greets, item.sequence),
        keys.slackPending(greets),
        keys.slackKept(greets),
      ],
      [id, encrypted, name, by, slackItemName(item), workName(work), String(slackPostLifetime)],
      work,
    );
  },
  'ask-notice': ({slackUser: channel, sequence}, {keys}) => {
    const work: Work = {kind: 'post-slack', channel};
    return createPlainStep(
      askNoticeLua,
      [
        keys.slackNotice(channel, sequence),
        keys.slackPending(channel),
        keys.slackKept(channel),
        keys.slackReady(),
      ],
      [slackItemName({kind: 'notice', sequence}), workName(work)],
      work,
    );
  },
  'post-report': ({channel, item}, {keys}) => {
    const work: Work = {kind: 'post-slack', channel};
    return createPlainStep(
      postReportLua,
      [
        keys.slackCopy(item.team, item.key),
        createReportKey(keys, item.of)(item),
        keys.slackPending(channel),
        keys.slackReady(),
      ],
      [formatCopyField(item.key), channel, slackItemName(item), workName(work), String(slackPostLifetime)],
      work,
    );
  },
  'disconnect-slack': (_, {keys}) => createPlainStep(deleteKeysLua, [keys.slackToken()]),
  'leave-slack': ({member, slackUser}, {keys, retention}) =>
    createStep({
      keys: [keys.list(lists.removedOf(member))],
      args: [createSlackUserEntry(slackUser)],
      fixed: [retention.events],
      write: listAsRemovedLua,
    }),
  'keep-slack-message': ({channel, ts, known, seconds}, {keys}) =>
    createPlainStep(
      keepSlackMessageLua,
      [keys.slackMessage(channel, ts)],
      [formatKnownMessage(known), String(seconds)],
    ),
  'note-slack-status': ({member, run, look}, {keys}) =>
    createPlainStep(noteSlackStatusLua, [keys.slackStatus(member)], [run, formatStatusLook(look)]),
  'drop-slack-status': ({member}, {keys}) => createPlainStep(deleteKeysLua, [keys.slackStatus(member)]),
  'keep-typed': ({slackUser, version, json}, {keys}) =>
    createPlainStep(keepTypedLua, [keys.typed(slackUser)], [`${version} ${json}`]),
};
