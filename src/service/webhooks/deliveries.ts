import type {ServiceContext} from '../core/context.js';
import {createWebhookAccess, requireEnabled} from './webhook-access.js';
import type {Commit} from '../../domain/commit/commit.js';
import type {PageQuery} from '../../domain/core/lists.js';
import type {Call, Caller} from '../../domain/core/access.js';
import type {Answer} from '../core/answers.js';
import {toInstant} from '../../domain/core/dates.js';
import type {Attempt, Delivery} from '../../domain/webhooks/delivery.js';
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
import {createDeliveryLists, type DeliveryLists} from './delivery-lists.js';

export interface DeliveryService extends DeliveryLists {
  findDelivery: (access: Caller, id: string) => Promise<Delivery>;
  /** Lists the last 100 attempts of a delivery, newest first. Errors: `not_found`. */
  listAttempts: (
    access: Caller,
    delivery: string,
    query: PageQuery,
  ) => Promise<{attempts: readonly Attempt[]; next: number | undefined}>;
  /**
   * Creates a test event for this webhook only, whatever its subscription, and returns the event's delivery.
   * Errors: `webhook_disabled`.
   */
  testWebhook: (call: Call, webhook: string) => Promise<Answer<Delivery>>;
  /**
   * Sends a delivery again, whatever its state; the delivery keeps its id and event. Errors:
   * `webhook_disabled`; `validation_failed` if the event is too old to be sent.
   */
  redeliver: (call: Call, delivery: string) => Promise<Answer>;
}

export function createDeliveryService(context: ServiceContext): DeliveryService {
  const {deliveryRecords, mutate, deliveries, wake, retention, clock} = context;
  const access = createWebhookAccess(context);

  const {requireWebhook, requireManager} = access;

  async function requireDelivery({workspace, deadline}: Caller, id: string): Promise<Delivery> {
    const delivery = isId('delivery', id) ? await deliveryRecords.find(workspace, id, deadline) : undefined;
    if (delivery === undefined) throw notFound('delivery');
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
    ...createDeliveryLists(context),
    async testWebhook(call, webhook) {
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
    async findDelivery(caller, id) {
      const delivery = await requireDelivery(caller, id);
      await requireManager(caller);
      return delivery;
    },
    async listAttempts(caller, id, query) {
      const delivery = await requireDelivery(caller, id);
      await requireManager(caller);
      return deliveryRecords.listAttempts(caller.workspace, delivery.id, query, caller.deadline);
    },
    redeliver: (call, delivery) => mutate(call, () => planRedelivery(call, delivery)),
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
