import type {ServiceEnvironment} from '../core/environment.js';
import type {Write} from '../../domain/commit/writes.js';
import {fieldError} from '../../domain/core/errors.js';
import {
  defaultSettings,
  buildSettings,
  type SettingsPatch,
  type SignatureVersion,
  type Throttle,
  type TlsSettings,
  type WebhookSettings,
} from '../../domain/webhooks/webhook-settings.js';
import type {IdSuffix} from '../../domain/core/ids.js';

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
