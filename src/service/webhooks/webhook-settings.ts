import {type Write, reviseWrite} from '../../domain/commit/writes.js';
import {fieldError} from '../../domain/core/errors.js';
import {
  defaultSettings,
  buildSettings,
  type SettingsPatch,
  type SignatureVersion,
  type Throttle,
  type TlsSettings,
  type WebhookSettings,
  pickSettings,
} from '../../domain/webhooks/webhook-settings.js';
import {type IdSuffix, suffixOf} from '../../domain/core/ids.js';
import type {Commit} from '../../domain/commit/commit.js';
import {type Draft, isUnchangedByDraft} from '../../domain/core/resource.js';
import type {Webhook} from '../../domain/webhooks/webhook.js';
import type {ServiceEnvironment} from '../core/environment.js';
import type {Proof} from '../core/authority.js';
import {planNothing} from '../core/mutation.js';

/**
 * Returns the settings after a merge patch. Each field is already valid by itself; this finds an incomplete
 * throttle, and TLS settings that this installation does not allow. Errors: `validation_failed`.
 */
export function changeSettings(
  before: WebhookSettings,
  patch: SettingsPatch,
  checkTls: ServiceEnvironment['checkTls'],
): WebhookSettings {
  const after = buildSettings((name) =>
    patch[name] === undefined ? before[name] : (patch[name] ?? defaultSettings[name]),
  );
  return {
    ...after,
    throttle: applyThrottlePatch(before.throttle, patch.throttle),
    signature_versions: sortVersions(after.signature_versions),
    tls: applyTlsPatch(before.tls, patch.tls, checkTls),
  };
}

/** Stores the settings that Redis scripts need to schedule a webhook's deliveries. */
export function schedulingSettingsWrite(
  suffix: IdSuffix<'webhook'>,
  {concurrency, ordering, throttle}: WebhookSettings,
): Write {
  return {do: 'pace-webhook', webhook: suffix, concurrency, ordering, throttle};
}

function applyThrottlePatch(before: Throttle | null, patch: SettingsPatch['throttle']): Throttle | null {
  if (patch === undefined) return before;
  if (patch === null) return null;
  const half = {...before, ...patch};
  const whole = (name: keyof Throttle): number => {
    const value = half[name];
    if (value !== undefined) return value;
    const detail = `\`throttle.${name}\` is required: a webhook that has no throttle yet needs both \`max\` and \`per_seconds\`.`;
    throw fieldError('validation_failed', `#/throttle/${name}`, detail);
  };
  return {max: whole('max'), per_seconds: whole('per_seconds')};
}

function applyTlsPatch(
  before: TlsSettings | null,
  patch: SettingsPatch['tls'],
  checkTls: ServiceEnvironment['checkTls'],
): TlsSettings | null {
  if (patch === undefined) return before;
  const ca = patch?.ca === undefined ? (before?.ca ?? null) : patch.ca;
  const verify = patch?.verify === undefined ? (before?.verify ?? true) : (patch.verify ?? true);
  // TLS settings equal to the defaults are not stored.
  if (patch === null || (ca === null && verify)) return null;
  const error = checkTls({ca, verify});
  if (error !== undefined) throw fieldError('validation_failed', '#/tls', error);
  return {ca, verify};
}

/** Sorts signature versions, so that the same versions are always stored in the same order. */
function sortVersions(versions: readonly SignatureVersion[]): readonly SignatureVersion[] {
  return versions.toSorted();
}

/** Changes a webhook to `draft`, with the effects on its deliveries. `more`: further writes. */
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

/** Starts a webhook afresh after it is enabled or has a new address: earlier failures are over. */
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
