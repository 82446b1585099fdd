import type {WebhookWrite} from '../../domain/commit/writes.js';
import * as lua from '../core/compiled/lua.js';
import {sequenceOfId} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {workName} from '../../domain/core/work.js';
import {createStep, createPlainStep, type StepsOf} from './step.js';
import {blockKeyOf} from '../webhooks/delivery-blocks.js';

export const webhookSteps: StepsOf<WebhookWrite> = {
  'keep-secret': ({webhook, encrypted, overlapMs}, {keys}) =>
    createPlainStep(
      lua.keepSecretLua,
      [keys.secret(webhook), ...keys.earlierSecrets(webhook)],
      [encrypted, String(overlapMs)],
    ),
  'keep-headers': ({webhook, encrypted}, {keys}) => {
    const kept = [keys.webhookHeaders(webhook)];
    return encrypted === null
      ? createPlainStep(lua.deleteKeysLua, kept)
      : createPlainStep(lua.setValueLua, kept, [encrypted]);
  },
  'pace-webhook': ({webhook, concurrency, ordering, throttle}, {keys}) =>
    createPlainStep(
      lua.paceWebhookLua,
      [keys.webhookState(webhook), keys.ready()],
      [
        workName({kind: 'deliver', webhook}),
        String(concurrency),
        ordering === 'none' ? '' : ordering,
        throttle === null ? '' : `${throttle.max}/${throttle.per_seconds}`,
      ],
    ),
  'switch-webhook': ({webhook, on}, {keys}) => {
    const state = keys.webhookState(webhook);
    if (!on) return createPlainStep(lua.setFieldLua, [state], ['off', '1']);
    const work = {kind: 'deliver', webhook} as const;
    return createPlainStep(lua.enableWebhookLua, [state, keys.ready()], [workName(work)], work);
  },
  'hold-position': ({webhook, revision}, {keys}) =>
    createPlainStep(
      lua.holdPositionLua,
      [keys.head(), keys.webhookState(webhook), keys.ready()],
      [webhook, String(revision), workName({kind: 'catch-up', webhook})],
    ),
  'mark-warned': ({webhook}, {keys}) =>
    createPlainStep(lua.setFieldLua, [keys.webhookState(webhook)], ['warned', '1']),
  'close-webhook': ({webhook}, {keys, retention}) =>
    createStep({
      keys: [
        keys.ready(),
        keys.head(),
        keys.list(lists.deliveriesOf(webhook)),
        keys.secret(webhook),
        ...keys.earlierSecrets(webhook),
        keys.webhookHeaders(webhook),
        keys.webhookState(webhook),
        keys.pending(webhook),
        keys.inflight(webhook),
        keys.tries(webhook),
        keys.excerpts(webhook),
        keys.waiting(webhook),
        keys.heads(webhook),
        keys.starts(webhook),
        keys.replays(webhook),
        keys.replaying(webhook),
        keys.replayed(webhook),
        keys.list(lists.replaysOf(webhook)),
        keys.list(lists.sendingReplaysOf(webhook)),
      ],
      args: [workName({kind: 'deliver', webhook}), workName({kind: 'catch-up', webhook}), webhook],
      fixed: [retention.events],
      write: lua.closeWebhookLua,
    }),
  'forget-responses': ({webhook}, {keys}) =>
    createPlainStep(lua.forgetResponsesLua, [
      keys.excerpts(webhook),
      keys.webhookState(webhook),
      keys.record(webhook),
    ]),
  redeliver: ({webhook, delivery}, {keys}) =>
    createPlainStep(
      lua.redeliverLua,
      [
        keys.pending(webhook),
        keys.inflight(webhook),
        keys.replays(webhook),
        keys.replaying(webhook),
        keys.tries(webhook),
        keys.webhookState(webhook),
        keys.waiting(webhook),
        keys.heads(webhook),
        keys.delivery(delivery),
        keys.ready(),
        blockKeyOf(keys, webhook, delivery),
      ],
      [delivery, webhook, String(sequenceOfId(delivery))],
      {kind: 'deliver', webhook},
    ),
  'try-webhook': ({webhook}, {keys}) =>
    createPlainStep(
      lua.tryWebhookLua,
      [
        keys.pending(webhook),
        keys.replays(webhook),
        keys.tries(webhook),
        keys.webhookState(webhook),
        keys.ready(),
      ],
      [webhook],
      {kind: 'deliver', webhook},
    ),
};
