import type {Event} from '../api/schema.ts';
import type {EventFilters, UsualTime} from './search.ts';

/** The filters as query parameters of the API. */
export interface EventListQuery {
  readonly types?: string;
  readonly since?: string;
  readonly until?: string;
  readonly about?: string;
  readonly actor?: string;
}

const spans: Readonly<Record<UsualTime, number>> = {hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000};

/** Converts the filters to API parameters. Ranges end at `now`; days begin at this device's midnight. */
export function toEventQuery(
  {types, last, from, to, about, actor}: EventFilters,
  now: number,
): EventListQuery {
  const since = last === undefined ? from && new Date(`${from}T00:00:00`) : new Date(now - spans[last]);
  const until = to === undefined ? undefined : new Date(`${to}T23:59:59.999`);
  return {
    ...(types !== undefined && {types}),
    ...(since && {since: since.toISOString()}),
    ...(until && {until: until.toISOString()}),
    ...(about !== undefined && {about}),
    ...(actor !== undefined && {actor}),
  };
}

/** Whether a new event matches the query, by the same rules as in the API. */
export function matchesEventQuery(
  event: Event,
  {types, since, until, about, actor}: EventListQuery,
): boolean {
  const {type, timestamp, actor: by} = event;
  return (
    (types === undefined || types.split(',').some((pattern) => matchesPattern(pattern, type))) &&
    (since === undefined || timestamp >= since) &&
    (until === undefined || timestamp <= until) &&
    (actor === undefined || [by?.id, by?.token, by?.type].includes(actor)) &&
    (about === undefined || listSubjectIds(event).includes(about))
  );
}

export function matchesPattern(pattern: string, type: string): boolean {
  return (
    pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))
  );
}

/** The ids of all objects an event is about. */
export function listSubjectIds({data}: Event): readonly string[] {
  if (data === null) return [];
  const people = ['author', 'member', 'holder'].map((role) => readId(data[role]));
  const reminder = data['reminder'];
  const reminded: unknown = isObject(reminder) ? reminder['members'] : undefined;
  const members: readonly unknown[] = Array.isArray(reminded) ? reminded : [];
  return [data['id'], data['team_id'], ...people, ...members].filter((id) => typeof id === 'string');
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function readId(value: unknown): unknown {
  return isObject(value) ? value['id'] : undefined;
}
