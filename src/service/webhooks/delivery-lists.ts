import type {ServiceContext} from '../core/context.js';
import {createWebhookAccess} from './webhook-access.js';
import {parseWire} from '../../domain/core/resource.js';
import type {Caller} from '../../domain/core/access.js';
import {parseInstant} from '../../domain/core/dates.js';
import {type Delivery, type DeliveryState, positionsPerEvent} from '../../domain/webhooks/delivery.js';
import {notFound} from '../../domain/core/errors.js';
import type {EventType} from '../../domain/events/event.js';
import {suffixOf, type Id, type IdSuffix, isId, sequenceOfId} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import {scanPages} from '../core/paging.js';

export interface DeliveryQuery extends PageQuery {
  readonly state?: DeliveryState | undefined;
  readonly eventType?: EventType | undefined;
  /** The range of event times; both ends are included. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** The id of an event, and the id of the replay that created the deliveries. */
  readonly event?: string | undefined;
  readonly replay?: Id<'replay'> | undefined;
}

export interface DeliveryLists {
  /**
   * Lists a webhook's deliveries, newest event first. Only deliveries in the time range are read; other
   * filters drop rows afterwards. A page may have fewer rows than requested, or none, and still be followed
   * by another page. Errors: `not_found`.
   */
  listDeliveries: (access: Caller, webhook: string, query: DeliveryQuery) => Promise<Page<Delivery>>;
  /**
   * Lists the deliveries of one event to all existing webhooks, newest webhook first. Errors: `not_found`.
   */
  listEventDeliveries: (access: Caller, event: string, query: PageQuery) => Promise<Page<Delivery>>;
}

/** The number of deliveries that a filtered list scans for one page before the page is returned as it is. */
const scanLimit = 300;

/** A range of positions in a webhook's list: `from` and up, but below `past`. */
interface DeliveryRange {
  readonly from?: number | undefined;
  readonly past?: number | undefined;
}

export function createDeliveryLists(context: ServiceContext): DeliveryLists {
  const {deliveryRecords, records, events, replays} = context;
  const access = createWebhookAccess(context);

  /** Returns the range of a webhook's list that contains all matches; undefined if there are none. */
  async function findListRange(
    {workspace, deadline}: Caller,
    webhook: Id<'webhook'>,
    {past, since, until, event, replay: asked}: DeliveryQuery,
  ): Promise<DeliveryRange | undefined> {
    let [first, last] = [0, Infinity];
    if (event !== undefined) first = last = sequenceOfId(event);
    const replay = asked === undefined ? undefined : await replays.find(workspace, webhook, asked, deadline);
    if (asked !== undefined && replay === undefined) return undefined;
    if (since !== undefined || until !== undefined || replay !== undefined) {
      const from = Math.max(parseOptionalInstant(since) ?? 0, parseOptionalInstant(replay?.since) ?? 0);
      const to = Math.min(
        parseOptionalInstant(until) ?? latest,
        parseOptionalInstant(replay?.until) ?? latest,
      );
      if (from > to) return undefined;
      const range = await events.findRange(workspace, from, to, deadline);
      [first, last] = [Math.max(first, range.first), Math.min(last, range.last)];
    }
    if (first > last) return undefined;
    const end = (last + 1) * positionsPerEvent;
    return {
      ...(first > 0 && {from: first * positionsPerEvent}),
      past: end < (past ?? Infinity) ? end : past,
    };
  }

  async function scanDeliveries(
    caller: Caller,
    webhook: IdSuffix<'webhook'>,
    query: DeliveryQuery,
    span: DeliveryRange,
  ): Promise<Page<Delivery>> {
    const {workspace, deadline} = caller;
    return scanPages(
      (page) => deliveryRecords.list(workspace, webhook, {from: span.from, ...page}, deadline),
      {past: span.past, limit: query.limit},
      (rows) => rows.map(({delivery}) => (matchesDeliveryQuery(delivery, query) ? delivery : undefined)),
      scanLimit,
    );
  }

  return {
    async listDeliveries(caller, id, query) {
      const webhook = await access.requireWebhook(caller, id);
      await access.requireManager(caller);
      const span = await findListRange(caller, webhook.id, query);
      if (span === undefined) return {rows: [], next: undefined};
      return scanDeliveries(caller, suffixOf(webhook.id), query, span);
    },
    async listEventDeliveries(caller, id, {past, limit}) {
      const {workspace, deadline} = caller;
      const sequence = isId('event', id) ? sequenceOfId(id) : 0;
      const event = await events.findBySequence(workspace, sequence, deadline);
      if (event?.id !== id) throw notFound('event');
      await access.requireManager(caller);
      // A position in this list combines the webhook's position and that of the delivery among the event's
      // deliveries.
      const [at, within] =
        past === undefined ? [] : [Math.floor(past / positionsPerEvent), past % positionsPerEvent];
      const query = {
        list: lists.webhooks(),
        past: at === undefined ? undefined : at + 1,
        limit: limits.webhooksPerWorkspace,
      };
      const {rows: webhooks} = await records.list(workspace, query, deadline);
      const first = sequence * positionsPerEvent;
      const found: {readonly delivery: Delivery; readonly position: number}[] = [];
      for (let from = 0; from < webhooks.length && found.length <= limit; from += askedAtOnce) {
        const reads = webhooks.slice(from, from + askedAtOnce).map(async ({position, json}) => {
          const webhook = suffixOf(parseWire(json).id);
          const span = {from: first, past: first + (position === at ? (within ?? 0) : positionsPerEvent)};
          const wanted = {...span, limit: limit + 1 - found.length};
          const {rows} = await deliveryRecords.list(workspace, webhook, wanted, deadline);
          return rows.map((row) => ({
            delivery: row.delivery,
            position: position * positionsPerEvent + (row.position - first),
          }));
        });
        found.push(...(await Promise.all(reads)).flat());
      }
      const page = found.slice(0, limit);
      return {
        rows: page.map(({delivery}) => delivery),
        next: found.length > limit ? page.at(-1)?.position : undefined,
      };
    },
  };
}

/** The number of webhooks queried together for their deliveries of an event. */
const askedAtOnce = 25;

/** A time (ms) after all events. */
const latest = 8.64e15;

function parseOptionalInstant(instant: string | undefined): number | undefined {
  return instant === undefined ? undefined : parseInstant(instant);
}

function matchesDeliveryQuery(delivery: Delivery, {state, eventType, event, replay}: DeliveryQuery): boolean {
  return (
    (state === undefined || delivery.state === state) &&
    (eventType === undefined || delivery.event_type === eventType) &&
    (event === undefined || delivery.event_id === event) &&
    (replay === undefined || delivery.replay_id === replay)
  );
}
