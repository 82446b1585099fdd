/** A limit: at most `max` requests begin within `per_seconds`. */
export interface Throttle {
  readonly max: number;
  readonly per_seconds: number;
}

/**
 * The way in which the receiver of a webhook proves its identity. It applies only to private networks that
 * the operator has allowed.
 */
export interface TlsSettings {
  /** Additional trusted certificate authorities in PEM. */
  readonly ca: string | null;
  /** False if the receiver's certificate is not checked. */
  readonly verify: boolean;
}

export type Ordering = 'none' | 'per_team';
export type Payload = 'full' | 'thin';
export type SignatureVersion = 'v1' | 'v1a';

/** The settings for deliveries to a webhook, which are fields of the webhook. */
export interface WebhookSettings {
  readonly concurrency: number;
  readonly throttle: Throttle | null;
  /** The seconds to wait before each attempt after the first; null for the default schedule. */
  readonly retry_schedule: readonly number[] | null;
  readonly ordering: Ordering;
  readonly payload: Payload;
  readonly api_version: 'v1';
  readonly signature_versions: readonly SignatureVersion[];
  readonly tls: TlsSettings | null;
}

/**
 * A merge patch (RFC 7396) of the settings. A missing field stays, null restores the default, and objects are
 * merged field by field.
 */
export type SettingsPatch = {
  readonly [K in Exclude<keyof WebhookSettings, 'throttle' | 'tls'>]?: WebhookSettings[K] | null | undefined;
} & {
  readonly throttle?: {readonly [K in keyof Throttle]?: number | undefined} | null | undefined;
  readonly tls?:
    | {readonly ca?: string | null | undefined; readonly verify?: boolean | null | undefined}
    | null
    | undefined;
};

export const settingLimits = {
  concurrency: 32,
  throttleMax: 1_000,
  throttleSeconds: 3_600,
  retries: 15,
  /** The minimum number of seconds between two attempts. */
  retryMin: 1,
  retryMax: 24 * 3_600,
  /**
   * The maximum number of seconds from the first attempt to the last. It is well below the age at which
   * deliveries expire.
   */
  retrySum: 5 * 24 * 3_600,
  caLength: 16_384,
} as const;

export const defaultSettings: WebhookSettings = {
  concurrency: 16,
  throttle: null,
  retry_schedule: null,
  ordering: 'none',
  payload: 'full',
  api_version: 'v1',
  signature_versions: ['v1'],
  tls: null,
};

/** Builds the settings from a value for each name, in the order in which a webhook shows them. */
export function buildSettings(valueOf: (name: keyof WebhookSettings) => unknown): WebhookSettings {
  const names = Object.keys(defaultSettings) as (keyof WebhookSettings)[];
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as unknown as WebhookSettings;
}

/** Returns only the settings of a webhook. */
export function pickSettings(webhook: WebhookSettings): WebhookSettings {
  return buildSettings((name) => webhook[name]);
}
