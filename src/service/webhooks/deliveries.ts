import type {Commit} from '../../domain/commit/commit.js';
import {type PageQuery, lists, type Page, type Row} from '../../domain/core/lists.js';
import type {Call, Caller} from '../../domain/core/access.js';
import {toInstant, parseInstant} from '../../domain/core/dates.js';
import {type Delivery, type DeliveryState, positionsPerEvent} from '../../domain/webhooks/delivery.js';
import {AppError, notFound} from '../../domain/core/errors.js';
import {
  suffixOf,
  parseCreationTime,
  isId,
  sequenceOfId,
  storedId,
  type Id,
  type IdSuffix,
} from '../../domain/core/ids.js';
import {parseWire} from '../../domain/core/resource.js';
import type {EventType} from '../../domain/events/event.js';
import {limits} from '../../domain/core/limits.js';
import type {Webhook} from '../../domain/webhooks/webhook.js';
import type {ServiceContext} from '../core/context.js';
import type {EventSight} from '../events/event-sight.js';
import type {Answer} from '../core/answers.js';
import {scanPages} from '../core/paging.js';
import {createWebhookAccess, requireEnabled} from './webhook-access.js';

export function createDeliveryService(context: ServiceContext, {sight}: {readonly sight: EventSight}) {
  const {deliveryRecords, records, mutate, deliveries, events, wake, retention, clock} = context;
  const {requireWebhook, requireManager, selectReached} = createWebhookAccess(context);

  /** Finds a delivery. One of an event that the caller may not see is not found. Errors: `not_found`. */
  async function requireDelivery(caller: Caller, id: string): Promise<Delivery> {
    const {workspace, deadline} = caller;
    const delivery = isId('delivery', id) ? await deliveryRecords.find(workspace, id, deadline) : undefined;
    if (delivery === undefined) throw notFound('delivery');
    // Who may not see the webhook is not told by another error that there is such a delivery.
    const webhook = await records.find(workspace, delivery.webhook_id, deadline);
    const isReached = webhook !== undefined && (await selectReached(caller, [webhook])).length > 0;
    if (!isReached) throw notFound('delivery');
    const event = await events.findBySequence(workspace, sequenceOfId(delivery.event_id), deadline);
    const [isSeen] = event === undefined ? [true] : await sight.select(caller, [event]);
    if (isSeen !== true) throw notFound('delivery');
    return delivery;
  }

  async function planRedelivery(call: Call, reference: string): Promise<Commit> {
    const delivery = await requireDelivery(call, reference);
    const webhook = await requireWebhook(call, delivery.webhook_id);
    const proof = await requireManager(call);
    requireEnabled(webhook, 'repeat the redelivery');
    requireNotExpired(delivery, clock.now(), retention.delivery);
    // If the delivery's request is in progress, the request continues. Otherwise the delivery is due now.
    const shown: Delivery =
      delivery.state === 'delivering'
        ? delivery
        : {...delivery, state: 'pending', next_attempt_at: toInstant(clock.now())};
    return {
      guards: [...proof, {check: 'revision', id: webhook.id, revision: webhook.revision}],
      writes: [{do: 'redeliver', webhook: suffixOf(webhook.id), delivery: suffixOf(delivery.id)}],
      events: [],
      reply: {kind: 'inline', accepted: true, body: JSON.stringify(shown)},
    };
  }

  async function planTestEvent(call: Call, id: string): Promise<Commit> {
    const webhook = await requireWebhook(call, id);
    const proof = await requireManager(call);
    requireEnabled(webhook, 'repeat the test');
    const {revision} = webhook;
    return {
      guards: [...proof, {check: 'revision', id: webhook.id, revision}],
      writes: [],
      events: [{type: 'webhook.test', about: suffixOf(webhook.id), revision}],
      reply: {kind: 'test', webhook: webhook.id},
    };
  }

  /**
   * Creates the delivery of a test event at once, so that it exists when the caller gets its id. Otherwise
   * the job that distributes events would create it later.
   */
  async function createTestDelivery(
    {workspace, deadline}: Call,
    webhook: IdSuffix<'webhook'>,
    delivery: Id<'delivery'>,
  ): Promise<void> {
    const made = {webhook, suffix: suffixOf(delivery), sequence: sequenceOfId(delivery)};
    await deliveries.make(workspace, made, deadline);
    wake(workspace, {kind: 'deliver', webhook});
  }

  return {
    ...createDeliveryLists(context, {sight}),
    /**
     * Creates a test event for this webhook only, whatever its subscription, and returns the event's
     * delivery. Errors: `webhook_disabled`.
     */
    async testWebhook(call: Call, webhook: string): Promise<Answer<Delivery>> {
      const answer = await mutate<Delivery>(call, () => planTestEvent(call, webhook));
      if (answer.id !== undefined && !answer.replayed) {
        // The test event is committed by now, so a failure after this point must not fail the caller's
        // request.
        await createTestDelivery(call, suffixOf(storedId<'webhook'>(webhook)), answer.id).catch(
          () => undefined,
        );
      }
      return answer;
    },
    async findDelivery(caller: Caller, id: string): Promise<Delivery> {
      const delivery = await requireDelivery(caller, id);
      await requireManager(caller);
      return delivery;
    },
    /** Lists the last 100 attempts of a delivery, newest first. Errors: `not_found`. */
    async listAttempts(caller: Caller, id: string, query: PageQuery) {
      const delivery = await requireDelivery(caller, id);
      await requireManager(caller);
      return deliveryRecords.listAttempts(caller.workspace, delivery.id, query, caller.deadline);
    },
    /**
     * Sends a delivery again, whatever its state; the delivery keeps its id and event. Errors:
     * `webhook_disabled`; `validation_failed` if the event is too old to be sent.
     */
    redeliver: (call: Call, delivery: string): Promise<Answer> =>
      mutate(call, () => planRedelivery(call, delivery)),
  };
}

/**
 * Refuses a delivery that is too old: it would expire before its first attempt, and its earlier result would
 * be lost. `reach`: the maximum age in seconds.
 */
function requireNotExpired({id, event_id: event}: Delivery, now: number, reach: number): void {
  if (parseCreationTime(id) > now - reach * 1_000) return;
  const days = reach / (24 * 3600);
  const why = `a delivery expires ${days} days after its event`;
  const fix = `Read the event instead: GET /v1/events/${event}.`;
  throw new AppError('validation_failed', `It is too late to send this again: ${why}. ${fix}`);
}

interface DeliveryQuery extends PageQuery {
  readonly state?: DeliveryState | undefined;
  readonly eventType?: EventType | undefined;
  /** The range of event times; both ends are included. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** The id of an event, and the id of the replay that created the deliveries. */
  readonly event?: string | undefined;
  readonly replay?: Id<'replay'> | undefined;
}

/** The number of deliveries that a filtered list scans for one page before the page is returned as it is. */
const scanLimit = 300;

/** A range of positions in a webhook's list: `from` and up, but below `past`. */
interface DeliveryRange {
  readonly from?: number | undefined;
  readonly past?: number | undefined;
}

function createDeliveryLists(context: ServiceContext, {sight}: {readonly sight: EventSight}) {
  const {deliveryRecords, records, events, replays, teams} = context;
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

  /** Returns which of these events the caller may not see. Without a private team nothing is read. */
  async function listHiddenEvents(caller: Caller, ids: readonly Id<'event'>[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0 || !(await teams.all(caller)).hasPrivate) return new Set();
    const entries = await events.findEntries(caller.workspace, ids.map(sequenceOfId), caller.deadline);
    const seen = await sight.select(caller, entries);
    return new Set(entries.filter((_, i) => seen[i] !== true).map(({id}) => id));
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
      async (rows) => {
        const found = rows.map(({delivery}) =>
          matchesDeliveryQuery(delivery, query) ? delivery : undefined,
        );
        const hidden = await listHiddenEvents(
          caller,
          found.flatMap((one) => one?.event_id ?? []),
        );
        return found.map((one) => (one !== undefined && hidden.has(one.event_id) ? undefined : one));
      },
      scanLimit,
    );
  }

  /** Leaves out the webhooks that the caller may not see. */
  async function selectRows(caller: Caller, rows: readonly Row<Webhook>[]): Promise<Row<Webhook>[]> {
    const webhooks = rows.map(({json}) => parseWire(json));
    const reached = new Set((await access.selectReached(caller, webhooks)).map(({id}) => id));
    return rows.filter((_, i) => webhooks[i] !== undefined && reached.has(webhooks[i].id));
  }

  return {
    /**
     * Lists a webhook's deliveries, newest event first. Only deliveries in the time range are read; other
     * filters drop rows afterwards. A page may have fewer rows than requested, or none, and still be followed
     * by another page. Errors: `not_found`.
     */
    async listDeliveries(caller: Caller, id: string, query: DeliveryQuery): Promise<Page<Delivery>> {
      const webhook = await access.requireWebhook(caller, id);
      await access.requireManager(caller);
      const span = await findListRange(caller, webhook.id, query);
      if (span === undefined) return {rows: [], next: undefined};
      return scanDeliveries(caller, suffixOf(webhook.id), query, span);
    },
    /** Lists the deliveries of an event to all webhooks, newest webhook first. Errors: `not_found`. */
    async listEventDeliveries(caller: Caller, id: string, {past, limit}: PageQuery): Promise<Page<Delivery>> {
      const {workspace, deadline} = caller;
      const sequence = isId('event', id) ? sequenceOfId(id) : 0;
      const event = await events.findBySequence(workspace, sequence, deadline);
      if (event?.id !== id || (await listHiddenEvents(caller, [event.id])).size > 0) throw notFound('event');
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
        const reached = await selectRows(caller, webhooks.slice(from, from + askedAtOnce));
        const reads = reached.map(async ({position, json}) => {
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
