/** At most `max` requests begin in any `per_seconds`. */
export interface Throttle {
  readonly max: number;
  readonly per_seconds: number;
}

/** How the receiver of a webhook proves itself; only for addresses that the operator has opened. */
export interface TlsSettings {
  /** Certificate authorities trusted besides the usual ones, PEM. */
  readonly ca: string | null;
  /** False: any certificate will do. */
  readonly verify: boolean;
}

export type Ordering = 'none' | 'per_team';
export type Payload = 'full' | 'thin';
export type SignatureVersion = 'v1' | 'v1a';

/** How a webhook is served: members of the resource. */
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

export const settingLimits = {
  concurrency: 32,
  throttleMax: 1_000,
  throttleSeconds: 3_600,
  retries: 15,
  /** Seconds between two attempts. */
  retryMin: 1,
  retryMax: 24 * 3_600,
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
