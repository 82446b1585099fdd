import {z} from 'zod';
import {type Infer, open} from '../core/schemas.js';
import {retrySchedule} from './retry.js';

const orderings = ['none', 'per_team'] as const;
export type Ordering = (typeof orderings)[number];

const payloads = ['full', 'thin'] as const;
export type Payload = (typeof payloads)[number];

const signatureVersions = ['v1', 'v1a'] as const;
export type SignatureVersion = (typeof signatureVersions)[number];

export const settingLimits = {
  concurrency: 32,
  throttleMax: 1_000,
  throttleSeconds: 3_600,
  retries: 15,
  /** The minimum number of seconds between two attempts. */
  retryMin: 1,
  retryMax: 24 * 3_600,
  /** The longest time (s) from the first attempt to the last, well below the age of expiry. */
  retrySum: 5 * 24 * 3_600,
  caLength: 16_384,
} as const;

const usualConcurrency = 16;

const ownSchedule = retrySchedule.slice(1).map((ms) => ms / 1_000);

const tlsDescriptions = {
  ca: 'The PEM certificates of authorities trusted in addition to the usual ones. They are shown to every caller who can read the webhook. Null: only the usual ones.',
  verify:
    'Whether the certificate is verified. False: every certificate is accepted, so nothing proves the identity of the receiver. Null: true.',
} as const;

/** A schema of whole numbers, whose error message names the bounds. */
function createWholeNumberSchema(min: number, max: number) {
  const text = `must be a whole number from ${min} to ${max}`;
  return z.int(text).min(min, text).max(max, text);
}

/** The settings of a webhook in an answer of the API. */
export const settingsShown = {
  concurrency: z
    .int()
    .min(1)
    .meta({
      description: `The number of requests sent to it at a time, over all processes of the service. Null: ${usualConcurrency}.`,
    }),
  throttle: z
    .object({max: z.int().min(1), per_seconds: z.int().min(1)})
    .nullable()
    .meta({
      description:
        'The rate limit: at most `max` requests start in any `per_seconds`, retries included. Further deliveries wait and lose no attempt. Null: no limit.',
    }),
  retry_schedule: z
    .array(z.int().min(1))
    .nullable()
    .meta({
      description: `The seconds to wait before each attempt after the first, each ±20 %; \`[]\` for one attempt only. The sum is at most ${settingLimits.retrySum / 86_400} days. \
\`Retry-After\` and the pause of one minute after an overload can lengthen each wait. Null: the default, ${ownSchedule.join(', ')}.`,
    }),
  ordering: open<Ordering>({
    description:
      'The order of deliveries. `none`: each as soon as possible, so later ones overtake a retry. `per_team`: the events of one team one after the other; a retry delays those after it. Null: `none`.',
  }),
  payload: open<Payload>({
    description:
      'The content of the body. `full`: `data` is the resource. `thin`: `data` has only its `id` and `object`, without `previous_attributes`; fetch what you need. Null: `full`.',
  }),
  plain_text: z.boolean().meta({
    description:
      'Whether the events of standups also have `update_plain`, the text without Markdown. Null: false.',
  }),
  api_version: open<'v1'>({
    description:
      'The version of the API for `data`, fixed when the webhook is created. `v1` is the only one.',
  }),
  signature_versions: z.array(open<SignatureVersion>()).meta({
    description:
      'The signatures of each delivery. `v1` (HMAC with the secret) is always included. `v1a` adds Ed25519, to be verified with `public_key`. Null: `["v1"]`.',
  }),
  tls: z
    .object({
      ca: z.string().nullable().meta({description: tlsDescriptions.ca}),
      verify: z.boolean().meta({description: tlsDescriptions.verify}),
    })
    .nullable()
    .meta({
      description:
        'The TLS settings, only for addresses that the operator allows with `WEBHOOK_ALLOW_NETWORKS`; rejected otherwise. Null: certificates are verified as usual.',
    }),
};

/** The settings for deliveries to a webhook, which are fields of the webhook. */
export type WebhookSettings = Infer<z.ZodObject<typeof settingsShown>>;

/** A limit: at most `max` requests begin within `per_seconds`. */
export type Throttle = NonNullable<WebhookSettings['throttle']>;

export type TlsSettings = NonNullable<WebhookSettings['tls']>;

export const defaultSettings: WebhookSettings = {
  concurrency: usualConcurrency,
  throttle: null,
  retry_schedule: null,
  ordering: 'none',
  payload: 'full',
  plain_text: false,
  api_version: 'v1',
  signature_versions: ['v1'],
  tls: null,
};

const scheduleText = `must have waits of ${settingLimits.retrySum} seconds together at most`;

const throttleMembers = {
  max: createWholeNumberSchema(1, settingLimits.throttleMax).meta({description: 'The number of requests.'}),
  per_seconds: createWholeNumberSchema(1, settingLimits.throttleSeconds).meta({
    description: 'The number of seconds.',
  }),
};

/** Adds the descriptions from the answer's schema to the schemas of a request. */
function addSettingDescriptions<T extends Partial<Record<keyof WebhookSettings, z.ZodType>>>(schemas: T): T {
  const entries = Object.entries(schemas).map(([name, schema]) => {
    const {description} = settingsShown[name as keyof WebhookSettings];
    return [name, schema.meta({description, ...schema.meta()})];
  });
  return Object.fromEntries(entries) as T;
}

const common = addSettingDescriptions({
  concurrency: createWholeNumberSchema(1, settingLimits.concurrency)
    .nullable()
    .optional()
    .meta({examples: [4]}),
  retry_schedule: z
    .array(createWholeNumberSchema(settingLimits.retryMin, settingLimits.retryMax))
    .max(settingLimits.retries, `has at most ${settingLimits.retries} waits`)
    .refine((waits) => waits.reduce((sum, wait) => sum + wait, 0) <= settingLimits.retrySum, scheduleText)
    .nullable()
    .optional()
    .meta({
      examples: [[10, 60, 600, 3_600]],
    }),
  ordering: z.enum(orderings, 'must be "none" or "per_team"').nullable().optional(),
  payload: z.enum(payloads, 'must be "full" or "thin"').nullable().optional(),
  plain_text: z.boolean().nullable().optional(),
  api_version: z.literal('v1', 'must be "v1", the only version there is').nullable().optional(),
  signature_versions: z
    .array(z.enum(signatureVersions, 'must be "v1" or "v1a"'))
    .min(1, 'must have "v1"')
    .max(2, 'has each version once')
    .refine(
      (versions) => versions.includes('v1') && new Set(versions).size === versions.length,
      'must have "v1", and each version once',
    )
    .nullable()
    .optional()
    .meta({
      uniqueItems: true,
      contains: {const: 'v1'},
      examples: [['v1', 'v1a']],
    }),
  tls: z
    .strictObject({
      ca: z
        .string()
        .min(1, 'must not be empty')
        .max(settingLimits.caLength, `has at most ${settingLimits.caLength} characters`)
        .nullable()
        .optional()
        .meta({description: tlsDescriptions.ca}),
      verify: z.boolean().nullable().optional().meta({description: tlsDescriptions.verify}),
    })
    .nullable()
    .optional()
    .meta({examples: [{verify: false}]}),
} satisfies Record<Exclude<keyof WebhookSettings, 'throttle'>, z.ZodType>);

const throttleMeta = {
  description: settingsShown.throttle.description,
  examples: [{max: 10, per_seconds: 1}],
};

/** Adds the defaults of a new webhook to schemas. In a change, a missing field stays unchanged. */
function addDefaultsToSchemas<T extends Partial<Record<keyof WebhookSettings, z.ZodType>>>(schemas: T): T {
  const added = Object.entries(schemas).map(([name, schema]) => [
    name,
    schema.meta({default: defaultSettings[name as keyof WebhookSettings]}),
  ]);
  return Object.fromEntries(added) as T;
}

/** The settings of a new webhook in a request. */
export const newSettings = addDefaultsToSchemas({
  ...common,
  throttle: z.strictObject(throttleMembers).nullable().optional().meta(throttleMeta),
});

/** The settings of a webhook in a merge patch, which may change one of a throttle's two values. */
export const settingsChange = {
  ...common,
  throttle: z.strictObject(throttleMembers).partial().nullable().optional().meta(throttleMeta),
};

/** A merge patch (RFC 7396) of the settings: null restores a default, and objects are merged. */
export type SettingsPatch = Infer<z.ZodObject<typeof settingsChange>>;

/** Builds the settings from a value for each name, in the order in which a webhook shows them. */
export function buildSettings(valueOf: (name: keyof WebhookSettings) => unknown): WebhookSettings {
  const names = Object.keys(defaultSettings) as (keyof WebhookSettings)[];
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as unknown as WebhookSettings;
}

export function pickSettings(webhook: WebhookSettings): WebhookSettings {
  return buildSettings((name) => webhook[name]);
}
