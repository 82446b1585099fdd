import {type Absence, findReasonForEverybody} from '../absences/absence.js';
import type {Actor} from '../core/actor.js';
import {toInstant} from '../core/dates.js';
import {eventMeanings} from './event-types.js';
import type {PromptMoment} from '../prompts/prompt.js';
import {plainText, type TextFormat} from '../core/markdown.js';
import {suggestNearMatches} from '../core/text.js';
import type {TraceContext} from '../core/trace-context.js';
import {findPreviousAttributes, type WireJson, addFieldsToWireJson} from '../core/resource.js';
import type {Id, IdSuffix} from '../core/ids.js';

export type EventType = keyof typeof eventMeanings;

export const eventTypes = Object.keys(eventMeanings) as [EventType, ...EventType[]];

/** The patterns that a subscription may contain: an exact type, all types of a noun, or every type. */
export const eventPatterns: readonly string[] = [
  '*',
  ...new Set(eventTypes.map((type) => `${type.slice(0, type.indexOf('.'))}.*`)),
  ...eventTypes,
];

export const longestPattern = Math.max(...eventPatterns.map(({length}) => length));

/**
 * Returns a sentence for a list with wrong event types. It suggests types that are similar to the first wrong
 * one. If none is similar, it lists all nouns.
 */
export function suggestEventTypes(typed: string | readonly string[]): string {
  const given = typeof typed === 'string' ? typed : typed.find((type) => !eventPatterns.includes(type));
  const nouns = eventPatterns.filter((pattern) => pattern.endsWith('.*')).join(', ');
  return suggestNearMatches(given ?? '', eventPatterns, ` There are ${nouns}.`);
}

export function matchesEventType(patterns: readonly string[], type: EventType): boolean {
  const group = `${type.slice(0, type.indexOf('.'))}.*`;
  return patterns.some((pattern) => pattern === '*' || pattern === type || pattern === group);
}

/** An event as the log stores it: with the revision of a resource, but never its content. */
export interface LogEntry {
  readonly id: Id<'event'>;
  readonly sequence: number;
  readonly type: EventType;
  /** The id suffix of the resource that the event reports on. */
  readonly about: IdSuffix;
  readonly revision: number;
  readonly team?: Id<'team'>;
  /** The time of the event, in ms since the epoch. */
  readonly at: number;
  /** The person or program that caused the event; absent if unknown. */
  readonly actor?: Actor;
  /** The start of the reported period (ms). Only `webhook.failing` has it, and shows it in `data`. */
  readonly since?: number;
  /** The reminded people. Only `run.reminded` has them, and shows them in `data`. */
  readonly reminded?: ReminderRecord;
  /** Why Slack does not show something: only `slack.post_failed` and `slack.report_failed` have it. */
  readonly reason?: string;
  /** The member who joined. Only `invite.accepted` has it, and shows it in `data`. */
  readonly acceptedBy?: Id<'member'>;
  /** The span of the commit that caused the event, if it was recorded. No one is shown it. */
  readonly trace?: TraceContext;
}

/** The private teams that an event tells of. */
export interface EventTeams {
  readonly ids: readonly Id<'team'>[];
  /** True for the change that makes its team private: webhooks that had the team get it, to know of the end. */
  readonly closes: boolean;
}

/** The position of a reader in the event log, which is after an event. */
export interface LogPosition {
  readonly sequence: number;
  /** The id of that event, if known. A restored store may have given the event's number to another event. */
  readonly id?: Id<'event'> | undefined;
}

export interface ReminderRecord {
  /** The reason for the reminder. */
  readonly at: PromptMoment;
  /** The minutes before closing. Null for an opening, or for a reminder that a person requested. */
  readonly minutes: number | null;
  /** The ids of the reminded members, at most 50. */
  readonly members: readonly Id<'member'>[];
}

/**
 * Renders an event exactly as webhooks, the feed and the stream show it. `revision` and `previous` are the
 * JSON of the event's revision and of the one before, and undefined after retention or erasure has removed
 * them. Events contain nothing that is only for leads, because all members may read them.
 */
export function renderEvent(
  workspace: Id<'workspace'>,
  entry: LogEntry,
  revision: string | undefined,
  previous?: string,
): string {
  const [data, before] = [removePrivateReason(entry, revision), removePrivateReason(entry, previous)];
  const head =
    `{"id":"${entry.id}","object":"event","type":"${entry.type}","timestamp":"${new Date(entry.at).toISOString()}"` +
    `,"sequence":${entry.sequence},"workspace":"${workspace}","api_version":"v1"` +
    `,"actor":${JSON.stringify(entry.actor ?? null)},"data":${renderEventData(entry, data)}`;
  if (data === undefined || before === undefined) return `${head}}`;
  const changed = findPreviousAttributes(JSON.parse(before) as object, JSON.parse(data) as object);
  return `${head},"previous_attributes":${JSON.stringify(changed)}}`;
}

function removePrivateReason({type}: LogEntry, json: string | undefined): string | undefined {
  if (json === undefined || !type.startsWith('absence.')) return json;
  const absence = JSON.parse(json) as Absence;
  return JSON.stringify({...absence, reason: findReasonForEverybody(absence)});
}

function renderEventData(
  {type, since, reminded, reason, acceptedBy}: LogEntry,
  data: string | undefined,
): string {
  if (data === undefined) return 'null';
  if (acceptedBy !== undefined)
    return addFieldsToWireJson(data, {accepted_by: {type: 'member', id: acceptedBy}});
  if (reminded !== undefined) return addFieldsToWireJson(data, {reminder: reminded});
  if (hasFailureReason(type)) return addFieldsToWireJson(data, {reason: reason ?? null});
  return since === undefined ? data : addFieldsToWireJson(data, {failing_since: toInstant(since)});
}

/** Returns an event without the content of its resource, for receivers that want only a reference. */
export function removeResourceContent(event: WireJson): WireJson {
  const {previous_attributes: _, ...members} = JSON.parse(event) as {
    data: {id: string; object: string} | null;
    previous_attributes?: unknown;
  };
  const {data} = members;
  return JSON.stringify({...members, data: data && {id: data.id, object: data.object}});
}

/** Adds the plain text to the event of a standup, for receivers that show no Markdown. */
export function addPlainText(event: WireJson): WireJson {
  const {data, ...members} = JSON.parse(event) as {data: {update?: string; format?: TextFormat} | null};
  if (data?.update === undefined) return event;
  const plain = plainText(data.update, data.format ?? 'plain');
  return JSON.stringify({...members, data: {...data, update_plain: plain}});
}

/** True for events with a reason: why Slack shows nothing, or why a mail did not arrive. Null in old events. */
export function hasFailureReason(type: EventType): boolean {
  return type.endsWith('_failed');
}

/** True for events that show the earlier values of a change. */
export function showsPrevious(type: EventType): boolean {
  return type.endsWith('updated') || type === 'webhook.disabled';
}
