import {type Absence, reasonForEverybody} from '../absences/absence.js';
import type {Actor} from '../core/actor.js';
import {toInstant} from '../core/dates.js';
import {eventMeanings} from './event-types.js';
import type {PromptMoment} from '../prompts/prompt.js';
import {didYouMean} from '../core/text.js';
import {previousAttributes, type WireJson, addWireMembers} from '../core/resource.js';
import type {Id, IdSuffix} from '../core/ids.js';

export type EventType = keyof typeof eventMeanings;

export const eventTypes = Object.keys(eventMeanings) as [EventType, ...EventType[]];

/** The patterns that a subscription may name: an exact type, a whole noun, or everything. */
export const eventPatterns: readonly string[] = [
  '*',
  ...new Set(eventTypes.map((type) => `${type.slice(0, type.indexOf('.'))}.*`)),
  ...eventTypes,
];

export const longestPattern = Math.max(...eventPatterns.map(({length}) => length));

/**
 * The sentence that suggests the event types that were probably meant by a type, or by the first unknown one
 * of several; without a near one it lists all nouns.
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

/** An event as the log keeps it: the revision of a resource, never its content. */
export interface LogEntry {
  readonly id: Id<'event'>;
  readonly sequence: number;
  readonly type: EventType;
  /** Id suffix of the resource that it is about. */
  readonly about: IdSuffix;
  readonly revision: number;
  readonly team?: Id<'team'>;
  /** ms since the epoch. */
  readonly at: number;
  /** The actor; absent in entries from before actors were kept. */
  readonly actor?: Actor;
  /** The start of what it reports (ms): only for `webhook.failing`, whose `data` shows it. */
  readonly since?: number;
  /** The reminded people: only for `run.reminded`, whose `data` shows them. */
  readonly reminded?: ReminderRecord;
  /**
   * The reason why Slack does not show it: only for `slack.post_failed` and `slack.report_failed`, whose
   * `data` shows it.
   */
  readonly reason?: string;
}

/** The position of a log consumer: after an event. */
export interface LogPosition {
  readonly sequence: number;
  /**
   * Id of that event, where known: in a store that went back to an earlier state another event may have its
   * number.
   */
  readonly id?: Id<'event'> | undefined;
}

export interface ReminderRecord {
  /** The reason for the reminder. */
  readonly at: PromptMoment;
  /** Minutes before closing; null for an opening, and for a reminder that a person asked for. */
  readonly minutes: number | null;
  /** Ids of the members reminded by this step: 50 at most. */
  readonly members: readonly Id<'member'>[];
}

/**
 * The one form of an event, byte for byte the same in a webhook's body, the feed and the stream. `revision`
 * and `previous` are the wire JSON of the revision that it is about and of the one before; undefined when
 * retention or erasure has removed it. All members may read events, and receivers get them, so none has what
 * is only for leads.
 */
export function renderEvent(
  workspace: Id<'workspace'>,
  entry: LogEntry,
  revision: string | undefined,
  previous?: string,
): string {
  const [data, before] = [withoutPrivateReason(entry, revision), withoutPrivateReason(entry, previous)];
  const head =
    `{"id":"${entry.id}","object":"event","type":"${entry.type}","timestamp":"${new Date(entry.at).toISOString()}"` +
    `,"sequence":${entry.sequence},"workspace":"${workspace}","api_version":"v1"` +
    `,"actor":${JSON.stringify(entry.actor ?? null)},"data":${dataOf(entry, data)}`;
  if (data === undefined || before === undefined) return `${head}}`;
  const changed = previousAttributes(JSON.parse(before) as object, JSON.parse(data) as object);
  return `${head},"previous_attributes":${JSON.stringify(changed)}}`;
}

function withoutPrivateReason({type}: LogEntry, json: string | undefined): string | undefined {
  if (json === undefined || !type.startsWith('absence.')) return json;
  const absence = JSON.parse(json) as Absence;
  return JSON.stringify({...absence, reason: reasonForEverybody(absence)});
}

function dataOf({type, since, reminded, reason}: LogEntry, data: string | undefined): string {
  if (data === undefined) return 'null';
  if (reminded !== undefined) return addWireMembers(data, {reminder: reminded});
  if (hasFailureReason(type)) return addWireMembers(data, {reason: reason ?? null});
  return since === undefined ? data : addWireMembers(data, {failing_since: toInstant(since)});
}

/** The event for a receiver that wants only the resource it is about: without the resource's content. */
export function withoutResourceContent(event: WireJson): WireJson {
  const {previous_attributes: _, ...members} = JSON.parse(event) as {
    data: {id: string; object: string} | null;
    previous_attributes?: unknown;
  };
  const {data} = members;
  return JSON.stringify({...members, data: data && {id: data.id, object: data.object}});
}

/**
 * True for events that say why Slack does not show something. The reason is null in events from before
 * reasons were kept.
 */
export function hasFailureReason(type: EventType): boolean {
  return type === 'slack.post_failed' || type === 'slack.report_failed';
}

/** True for events that show what a change replaced. */
export function showsPrevious(type: EventType): boolean {
  return type.endsWith('updated') || type === 'webhook.disabled';
}
