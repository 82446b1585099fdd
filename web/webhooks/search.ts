export const deliveryStates = [
  'pending',
  'delivering',
  'succeeded',
  'retrying',
  'exhausted',
  'aborted',
  'expired',
  'held',
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Lengths of the time ranges that end now, in ms. */
export const spans = {hour: 3_600_000, day: 86_400_000, week: 604_800_000} as const;
export type SpanName = keyof typeof spans;

/** Filters of the deliveries, and the opened delivery, as the page's address stores them. */
export interface WebhookSearch {
  readonly state?: DeliveryState | undefined;
  readonly type?: string | undefined;
  readonly last?: SpanName | undefined;
  /** First and last instant of the time range, both included. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly event?: string | undefined;
  readonly replay?: string | undefined;
  readonly delivery?: string | undefined;
}

export const filterNames = ['state', 'type', 'last', 'since', 'until', 'event', 'replay'] as const;

export function readWebhookSearch(given: Record<string, unknown>): WebhookSearch {
  const {state, type, last, since, until, event, replay, delivery} = given;
  const shown = deliveryStates.find((one) => one === state);
  const within = (Object.keys(spans) as SpanName[]).find((one) => one === last);
  return {
    ...(shown !== undefined && {state: shown}),
    ...(typeof type === 'string' && /^[a-z_]{1,40}\.[a-z_]{1,40}$/.test(type) && {type}),
    ...(within !== undefined && {last: within}),
    ...(within === undefined && isInstant(since) && {since}),
    ...(within === undefined && isInstant(until) && {until}),
    ...(isId('evt', event) && {event}),
    ...(isId('rpl', replay) && {replay}),
    ...(isId('dlv', delivery) && {delivery}),
  };
}

function isInstant(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 40 && !Number.isNaN(Date.parse(value));
}

function isId(prefix: string, value: unknown): value is string {
  return typeof value === 'string' && new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(value);
}
