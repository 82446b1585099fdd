import {type Absence, sharedReason} from '../absences/absence.js';
import type {Actor} from '../core/actor.js';
import {toInstant} from '../core/dates.js';
import {eventMeanings} from './event-types.js';
import type {PromptMoment} from '../prompts/prompt.js';
import {didYouMean} from '../core/text.js';
import {previousAttributes, type WireJson, withMembers} from '../core/resource.js';
import type {Id, IdSuffix} from '../core/ids.js';

export type EventType = keyof typeof eventMeanings;

export const eventTypes = Object.keys(eventMeanings) as [EventType, ...EventType[]];

/** What a subscription may name: an exact type, a whole noun, or everything. */
export const eventPatterns: readonly string[] = [
  '*',
  ...new Set(eventTypes.map((type) => `${type.slice(0, type.indexOf('.'))}.*`)),
  ...eventTypes,
];

export const longestPattern = Math.max(...eventPatterns.map(({length}) => length));

/**
 * The sentence that names the event types that were probably meant by a type, or by the first unknown one
 * of several; or else what there is.
 */
export function suggestEvent(typed: string | readonly string[]): string {
  const given = typeof typed === 'string' ? typed : typed.find((type) => !eventPatterns.includes(type));
  const nouns = eventPatterns.filter((pattern) => pattern.endsWith('.*')).join(', ');
  return didYouMean(given ?? '', eventPatterns, ` There are ${nouns}.`);
}

/** True when one of the patterns names this type. */
export function matchesType(patterns: readonly string[], type: EventType): boolean {
  const group = `${type.slice(0, type.indexOf('.'))}.*`;
  return patterns.some((pattern) => pattern === '*' || pattern === type || pattern === group);
}

/** An event as it stands in the log: which revision of what, never its words. */
export interface LogEntry {
  readonly id: Id<'event'>;
  readonly sequence: number;
  readonly type: EventType;
  /** Drawn half of the id of the resource it is about. */
  readonly about: IdSuffix;
  readonly revision: number;
  readonly team?: Id<'team'>;
  /** ms since the epoch. */
  readonly at: number;
  /** Who did it; of entries from before that was kept nobody knows. */
  readonly actor?: Actor;
  /** When what it tells of began (ms): of `webhook.failing` alone, whose `data` shows it. */
  readonly since?: number;
  /** Who was reminded: of `run.reminded` alone, whose `data` shows it. */
  readonly reminded?: Reminded;
  /**
   * Why Slack does not show it: of `slack.post_failed` and `slack.report_failed` alone, whose `data` shows
   * it.
   */
  readonly reason?: string;
}

/** Where a reader of the log is: behind an event. */
export interface LogPlace {
  readonly sequence: number;
  /** Id of that event, where it is known: after a store was set back another event may have its number. */
  readonly id?: Id<'event'> | undefined;
}

/** One reminder of a run. */
export interface Reminded {
  /** Why they were reminded. */
  readonly at: PromptMoment;
  /** Before closing; null of an opening, and of one that somebody asked for. */
  readonly minutes: number | null;
  /** Ids of those who were reminded by this step: 50 at most. */
  readonly members: readonly Id<'member'>[];
}

/**
 * The one shape of an event, byte for byte the same in a webhook's body, the feed and the stream. `data`
 * and `before` are the wire JSON of the revision it is about and of the one before; undefined when
 * retention or erasure has taken it. Events are read by everybody, and sent to receivers: what is for leads alone
 * is in none.
 */
export function renderEvent(
  workspace: Id<'workspace'>,
  entry: LogEntry,
  revision: string | undefined,
  previous?: string,
): string {
  const [data, before] = [shared(entry, revision), shared(entry, previous)];
  const head =
    `{"id":"${entry.id}","object":"event","type":"${entry.type}","timestamp":"${new Date(entry.at).toISOString()}"` +
    `,"sequence":${entry.sequence},"workspace":"${workspace}","api_version":"v1"` +
    `,"actor":${JSON.stringify(entry.actor ?? null)},"data":${dataOf(entry, data)}`;
  if (data === undefined || before === undefined) return `${head}}`;
  const changed = previousAttributes(JSON.parse(before) as object, JSON.parse(data) as object);
  return `${head},"previous_attributes":${JSON.stringify(changed)}}`;
}

function shared({type}: LogEntry, json: string | undefined): string | undefined {
  if (json === undefined || !type.startsWith('absence.')) return json;
  const absence = JSON.parse(json) as Absence;
  return JSON.stringify({...absence, reason: sharedReason(absence)});
}

function dataOf({type, since, reminded, reason}: LogEntry, data: string | undefined): string {
  if (data === undefined) return 'null';
  if (reminded !== undefined) return withMembers(data, {reminder: reminded});
  if (tellsReason(type)) return withMembers(data, {reason: reason ?? null});
  return since === undefined ? data : withMembers(data, {failing_since: toInstant(since)});
}

/**
 * What a receiver is told that wants no more than which resource an event is about: the same event without
 * what the resource says.
 */
export function thinEvent(event: WireJson): WireJson {
  const {previous_attributes: _, ...members} = JSON.parse(event) as {
    data: {id: string; object: string} | null;
    previous_attributes?: unknown;
  };
  const {data} = members;
  return JSON.stringify({...members, data: data && {id: data.id, object: data.object}});
}

/**
 * True for events that tell why something is not shown in Slack; in those from before there were reasons it
 * is null.
 */
export function tellsReason(type: EventType): boolean {
  return type === 'slack.post_failed' || type === 'slack.report_failed';
}

/** True for events that show what a change replaced. */
export function showsPrevious(type: EventType): boolean {
  return type.endsWith('updated') || type === 'webhook.disabled';
}
