import type {Commit} from '../../domain/commit/commit.js';
import {reviseWrite, type Write} from '../../domain/commit/writes.js';
import {suffixOf} from '../../domain/core/ids.js';
import {type Draft, isUnchangedByDraft} from '../../domain/core/resource.js';
import type {Webhook} from '../../domain/webhooks/webhook.js';
import {pickSettings} from '../../domain/webhooks/webhook-settings.js';
import type {Proof} from '../core/authority.js';
import {planNothing} from '../core/mutation.js';
import {schedulingSettingsWrite} from './webhook-settings.js';

/**
 * Changes a webhook to `draft`, with the effects on its deliveries. `more`: further writes; these may be the
 * only change.
 */
export function planWebhookRevision(
  webhook: Webhook,
  type: 'webhook.updated' | 'webhook.disabled',
  draft: Draft<Webhook>,
  proof: Proof = [],
  more: readonly Write[] = [],
): Commit {
  const suffix = suffixOf(webhook.id);
  if (more.length === 0 && isUnchangedByDraft(webhook, draft)) return planNothing(webhook);
  const revised = reviseWrite(webhook, draft);
  return {
    // Disabling a webhook must work even if the store is full.
    effect: webhook.enabled && !draft.enabled ? 'release' : 'growth',
    guards: proof,
    writes: [
      revised,
      {do: 'touch', collection: 'webhooks', suffix},
      ...createHoldPositionWrites(webhook, draft),
      ...createRestartWrites(webhook, draft),
      ...createSchedulingWrites(webhook, draft),
      ...more,
    ],
    events: [{type, about: suffix, revision: webhook.revision + 1}],
    reply: {kind: 'resource', of: revised},
  };
}

/** Events from before a change of a webhook are sent by the subscription that it had at that time. */
function createHoldPositionWrites(before: Webhook, after: Draft<Webhook>): Write[] {
  const asks = ({enabled, events, teams}: Draft<Webhook>) => JSON.stringify([enabled, events, teams]);
  if (asks(before) === asks(after)) return [];
  return [{do: 'hold-position', webhook: suffixOf(before.id), revision: before.revision}];
}

/**
 * Starts a webhook afresh after it is enabled or gets another address: the earlier receiver's failures no
 * longer count.
 */
function createRestartWrites(before: Webhook, after: Draft<Webhook>): Write[] {
  const webhook = suffixOf(before.id);
  if (!after.enabled) return before.enabled ? [{do: 'switch-webhook', webhook, on: false}] : [];
  return before.enabled && before.url === after.url ? [] : [{do: 'switch-webhook', webhook, on: true}];
}

/** Returns the writes that change the scheduling of deliveries; none if the change does not affect it. */
function createSchedulingWrites(before: Webhook, after: Draft<Webhook>): Write[] {
  const suffix = suffixOf(before.id);
  const pace = schedulingSettingsWrite(suffix, after);
  return JSON.stringify(pace) === JSON.stringify(schedulingSettingsWrite(suffix, pickSettings(before)))
    ? []
    : [pace];
}
