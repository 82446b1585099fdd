import {expect} from '@jest/globals';
import type {ReceivedRequest} from '../support/receiver.js';
import {type Json, sendRequest} from '../support/service.js';
import {until} from '../support/until.js';
import type {AcknowledgedStandup} from './load.js';

export interface AuditCounts {
  readonly standups: number;
  readonly events: number;
  readonly requests: number;
  /** Number of requests for an event that the receiver had already received. */
  readonly repeats: number;
  /** Time from an event to its first request (ms). */
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
}

interface AuditOptions {
  readonly url: string;
  readonly token: string;
  readonly acknowledged: readonly AcknowledgedStandup[];
  /** Requests received by the webhook for `standup.created`; more may arrive during the audit. */
  readonly received: readonly ReceivedRequest[];
  readonly withinMs?: number;
}

interface AuditedEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly data: {readonly id: string};
}

/**
 * Checks that every acknowledged standup exists once and has one event, and that the log has no gap. The
 * webhook must have received every event under the event's id, and no other event.
 */
export async function audit({
  url,
  token,
  acknowledged,
  received,
  withinMs = 20_000,
}: AuditOptions): Promise<AuditCounts> {
  const standups = await listAll(url, '/v1/standups', token);
  const byText = new Map(standups.map(({update, id}) => [update, id]));
  expect(standups.filter(({update, id}) => byText.get(update) !== id)).toEqual([]);
  expect(standups.length).toBe(byText.size);
  expect(acknowledged.filter(({update, id}) => byText.get(update) !== id)).toEqual([]);
  expect(standups.length).toBe(acknowledged.length);

  const events = (await listAll(url, '/v1/events', token)) as AuditedEvent[];
  expect(events.filter(({sequence}, i) => sequence !== i + 1)).toEqual([]);
  const created = events.filter(({type}) => type === 'standup.created');
  expect(new Set(created.map(({data}) => data.id))).toEqual(new Set(standups.map(({id}) => id)));
  expect(created.length).toBe(standups.length);

  const wanted = new Set(created.map(({id}) => id));
  const missing = new Set(wanted);
  let read = 0;
  // Parses each received request once. The receiver shares this process, and a long check would block it.
  const hasAll = (): boolean => {
    for (; read < received.length; read += 1) missing.delete(received[read]?.id ?? '');
    return missing.size === 0;
  };
  await until(hasAll, {what: `the receiver has got all ${wanted.size} events`, withinMs}).catch(
    (error: unknown) => {
      throw new Error(`${String(error)}; missing ${missing.size}`);
    },
  );
  // A repeated request with another id would look like a second event.
  expect(received.filter(({id}) => !wanted.has(id))).toEqual([]);
  const standupIds = new Set(received.map(({body}) => (JSON.parse(body.toString()) as AuditedEvent).data.id));
  expect(standupIds.size).toBe(wanted.size);

  const firstAt = new Map<string, number>();
  for (const {id, at} of received) if (!firstAt.has(id)) firstAt.set(id, at);
  const lags = created
    .map(({id, timestamp}) => (firstAt.get(id) ?? 0) - Date.parse(timestamp))
    .sort((a, b) => a - b);
  return {
    standups: standups.length,
    events: events.length,
    requests: received.length,
    repeats: received.length - wanted.size,
    p50: lags[Math.floor(lags.length / 2)] ?? 0,
    p99: lags[Math.floor(lags.length * 0.99)] ?? 0,
    slowest: lags.at(-1) ?? 0,
  };
}

/** Returns every row of a list, page by page. */
export async function listAll(url: string, path: string, token: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let cursor = ''; ; ) {
    const query = `${path.includes('?') ? '&' : '?'}limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const {status, body} = await sendRequest(url, 'GET', path + query, {token});
    expect(status).toBe(200);
    rows.push(...body.data);
    if (!body.has_more) return rows;
    cursor = body.next_cursor;
  }
}

/** Prints one line of counts. `console.log` would add a stack trace in Jest. */
export function report(what: string, counts: object): void {
  const counted = Object.entries(counts).map(([name, value]) => `${name} ${value}`);
  process.stderr.write(`  ${what}: ${counted.join(', ')}\n`);
}
