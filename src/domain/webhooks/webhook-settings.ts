/** At most `max` requests begin in any `per_seconds`. */
export interface Throttle {
  readonly max: number;
  readonly per_seconds: number;
}

/** How the receiver of a webhook proves its identity; only for addresses that the operator has opened. */
export interface TlsSettings {
  /** Certificate authorities trusted besides the usual ones, PEM. */
  readonly ca: string | null;
  /** False: the receiver's certificate is not checked. */
  readonly verify: boolean;
}

export type Ordering = 'none' | 'per_team';
export type Payload = 'full' | 'thin';
export type SignatureVersion = 'v1' | 'v1a';

/** Settings for the deliveries to a webhook: members of the resource. */
export interface WebhookSettings {
  readonly concurrency: number;
  readonly throttle: Throttle | null;
  /** Seconds to wait before each attempt after the first; null for the service's own schedule. */
  readonly retry_schedule: readonly number[] | null;
  readonly ordering: Ordering;
  readonly payload: Payload;
  readonly api_version: 'v1';
  readonly signature_versions: readonly SignatureVersion[];
  readonly tls: TlsSettings | null;
}

/**
 * A merge patch (RFC 7396) of the settings: a member that is left out stays, null goes back to the default,
 * and objects are merged member by member.
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
  /** Seconds between two attempts. */
  retryMin: 1,
  retryMax: 24 * 3_600,
  /** Seconds from the first attempt to the last: well before a delivery is given up because of its age. */
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

/** Settings made from a value for each name, in the order in which a resource shows them. */
export function buildSettings(valueOf: (name: keyof WebhookSettings) => unknown): WebhookSettings {
  const names = Object.keys(defaultSettings) as (keyof WebhookSettings)[];
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as unknown as WebhookSettings;
}

/** The settings in a resource, without the rest of it. */
export function settingsOf(webhook: WebhookSettings): WebhookSettings {
  return buildSettings((name) => webhook[name]);
}
