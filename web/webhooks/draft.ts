import type {NewWebhook, Webhook, WebhookChange} from '../api/schema.ts';
import {parseWaits, formatWaits} from './waits.ts';

/** The fields of a webhook's form. The browser stores them, so they exclude the values of custom headers. */
export interface WebhookDraft {
  readonly url: string;
  readonly description: string;
  readonly everyEvent: boolean;
  /** Event types, or patterns for whole groups such as `standup.*`. */
  readonly events: readonly string[];
  readonly everyTeam: boolean;
  readonly teams: readonly string[];
  readonly headers: readonly HeaderRow[];
  readonly enabled: boolean;
  readonly concurrency: number | null;
  readonly isThrottled: boolean;
  readonly max: number | null;
  readonly perSeconds: number | null;
  readonly retry: 'usual' | 'own' | 'once';
  readonly waits: string;
  readonly ordering: 'none' | 'per_team';
  readonly payload: 'full' | 'thin';
  readonly plainText: boolean;
  readonly hasPublicKey: boolean;
  readonly tls: 'usual' | 'ca' | 'none';
  readonly ca: string;
}

export interface HeaderRow {
  readonly id: string;
  readonly name: string;
  /** True if the service stores the header's value, which it never returns. */
  readonly isKept: boolean;
}

/** Values of custom headers, by row id. They are credentials, so they exist only in the page's memory. */
export type HeaderValues = Readonly<Record<string, string>>;

export const emptyDraft: WebhookDraft = {
  url: '',
  description: '',
  everyEvent: true,
  events: [],
  everyTeam: true,
  teams: [],
  headers: [],
  enabled: true,
  concurrency: 16,
  isThrottled: false,
  max: 10,
  perSeconds: 1,
  retry: 'usual',
  waits: '',
  ordering: 'none',
  payload: 'full',
  plainText: false,
  hasPublicKey: false,
  tls: 'usual',
  ca: '',
};

export function toWebhookDraft(webhook: Webhook): WebhookDraft {
  const {url, description, events, teams, throttle, retry_schedule: waits, tls} = webhook;
  const everyEvent = events.includes('*');
  return {
    url,
    description: description ?? '',
    everyEvent,
    events: everyEvent ? [] : events,
    everyTeam: teams === null,
    teams: teams ?? [],
    headers: webhook.header_names.map((name) => ({id: name, name, isKept: true})),
    enabled: webhook.enabled,
    concurrency: webhook.concurrency,
    isThrottled: throttle !== null,
    max: throttle?.max ?? emptyDraft.max,
    perSeconds: throttle?.per_seconds ?? emptyDraft.perSeconds,
    retry: waits === null ? 'usual' : waits.length === 0 ? 'once' : 'own',
    waits: formatWaits(waits ?? []),
    ordering: webhook.ordering === 'per_team' ? 'per_team' : 'none',
    payload: webhook.payload === 'thin' ? 'thin' : 'full',
    plainText: webhook.plain_text,
    hasPublicKey: webhook.signature_versions.includes('v1a'),
    tls: tls === null ? 'usual' : tls.verify ? 'ca' : 'none',
    ca: tls?.ca ?? '',
  };
}

/** The validation error that must be fixed before the request is sent. */
export function findDraftError(draft: WebhookDraft, values: HeaderValues): 'waits' | 'headers' | undefined {
  if (draft.retry === 'own' && 'wrong' in parseWaits(draft.waits)) return 'waits';
  const isMissing = ({id, name, isKept}: HeaderRow) =>
    name.trim() === '' || (!isKept && (values[id] ?? '') === '');
  return draft.headers.some(isMissing) ? 'headers' : undefined;
}

/** Converts all settings except the headers to the API's form. */
function toSettings(draft: WebhookDraft) {
  const read = parseWaits(draft.waits);
  const own = 'waits' in read ? [...read.waits] : [];
  return {
    url: draft.url.trim(),
    description: draft.description.trim() === '' ? null : draft.description.trim(),
    events: draft.everyEvent ? ['*'] : [...draft.events],
    teams: draft.everyTeam ? null : [...draft.teams],
    enabled: draft.enabled,
    concurrency: draft.concurrency,
    throttle: draft.isThrottled ? toThrottle(draft) : null,
    retry_schedule: draft.retry === 'usual' ? null : draft.retry === 'once' ? [] : own,
    ordering: draft.ordering,
    payload: draft.payload,
    plain_text: draft.plainText,
    signature_versions: draft.hasPublicKey ? (['v1', 'v1a'] as const).slice() : (['v1'] as const).slice(),
    tls:
      draft.tls === 'usual'
        ? null
        : {verify: draft.tls === 'ca', ca: draft.tls === 'ca' && draft.ca.trim() !== '' ? draft.ca : null},
  };
}

/** Converts the throttle. An empty field becomes 0, which the service refuses with the valid range. */
function toThrottle({max, perSeconds}: WebhookDraft) {
  return {max: max ?? 0, per_seconds: perSeconds ?? 0};
}

/** The body that creates a webhook: only settings that differ from the service's defaults. */
export function toNewWebhook(draft: WebhookDraft, values: HeaderValues): NewWebhook {
  const usual = toSettings(emptyDraft);
  const settings = toSettings(draft);
  const others = Object.entries(settings).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name as keyof typeof usual]),
  );
  const headers = Object.fromEntries(draft.headers.map(({id, name}) => [name.trim(), values[id] ?? '']));
  return {
    ...Object.fromEntries(others),
    url: settings.url,
    events: settings.events,
    ...(draft.headers.length > 0 && {headers}),
  };
}

/** Name of a setting in which two drafts may differ. */
export type SettingName = keyof ReturnType<typeof toSettings> | 'headers';

export function findDifferingSettings(one: WebhookDraft, other: WebhookDraft): readonly SettingName[] {
  const [a, b] = [toSettings(one), toSettings(other)];
  const names = (Object.keys(a) as (keyof typeof a)[]).filter(
    (name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]),
  );
  const headersOf = ({headers}: WebhookDraft) => headers.map(({name, isKept}) => `${name}${isKept}`).join();
  return headersOf(one) === headersOf(other) ? names : [...names, 'headers'];
}

/** The merge patch that changes the settings from one draft to the other. */
export function buildWebhookPatch(
  base: WebhookDraft,
  mine: WebhookDraft,
  values: HeaderValues,
): WebhookChange {
  const settings = toSettings(mine);
  const names = findDifferingSettings(base, mine);
  const changed = Object.entries(settings).filter(([name]) => names.includes(name as SettingName));
  return {
    ...Object.fromEntries(changed),
    ...(names.includes('headers') && {headers: buildHeaderChange(base, mine, values)}),
  };
}

function buildHeaderChange(
  base: WebhookDraft,
  mine: WebhookDraft,
  values: HeaderValues,
): Record<string, string | null> {
  const left = new Set(mine.headers.map(({name}) => name.trim().toLowerCase()));
  const gone = base.headers.filter(({name}) => !left.has(name)).map(({name}) => [name, null] as const);
  const given = mine.headers.filter(({isKept}) => !isKept);
  return Object.fromEntries([
    ...gone,
    ...given.map(({id, name}) => [name.trim(), values[id] ?? ''] as const),
  ]);
}

const fieldsOf: Readonly<Record<SettingName, readonly (keyof WebhookDraft)[]>> = {
  url: ['url'],
  description: ['description'],
  events: ['everyEvent', 'events'],
  teams: ['everyTeam', 'teams'],
  headers: ['headers'],
  enabled: ['enabled'],
  concurrency: ['concurrency'],
  throttle: ['isThrottled', 'max', 'perSeconds'],
  retry_schedule: ['retry', 'waits'],
  ordering: ['ordering'],
  payload: ['payload'],
  plain_text: ['plainText'],
  signature_versions: ['hasPublicKey'],
  tls: ['tls', 'ca'],
};

/** Applies the changes from `base` to `mine` to the settings saved by another person (`theirs`). */
export function applyDraftChanges(
  base: WebhookDraft,
  mine: WebhookDraft,
  theirs: WebhookDraft,
): WebhookDraft {
  const fields = findDifferingSettings(base, mine).flatMap((name) => fieldsOf[name]);
  return {...theirs, ...Object.fromEntries(fields.map((field) => [field, mine[field]]))};
}
