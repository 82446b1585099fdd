import type {Access, Call} from '../domain/access.js';
import type {Attempt, Delivery} from '../domain/delivery.js';
import {AppError, notFound} from '../domain/errors.js';
import {drawnPart, isId} from '../domain/ids.js';
import type {Answer, Mutate, Plan} from './mutation.js';
import type {Deliveries} from './stores.js';
import type {WebhookAccess} from './webhook-access.js';

type Caller = Access & {readonly deadline: number};

/** A part of a list that goes on below a place in it. */
interface PageQuery {
  readonly below?: number | undefined;
  readonly limit: number;
}

export interface DeliveryService {
  /** Newest event first. Errors: `not_found`. */
  listDeliveries(
    access: Caller,
    webhook: string,
    query: PageQuery,
  ): Promise<{deliveries: readonly Delivery[]; next: number | undefined}>;
  findDelivery(access: Caller, id: string): Promise<Delivery>;
  /** What came of each request, newest first; the last 100. Errors: `not_found`. */
  listAttempts(
    access: Caller,
    delivery: string,
    query: PageQuery,
  ): Promise<{attempts: readonly Attempt[]; next: number | undefined}>;
  /** Sends a delivery again, whatever became of it; its id and its event stay. Errors: `webhook_disabled`. */
  redeliver(call: Call, delivery: string): Promise<Answer>;
}

export interface DeliveryParts {
  readonly mutate: Mutate;
  readonly deliveries: Deliveries;
  readonly access: WebhookAccess;
}

export function createDeliveryService({mutate, deliveries, access}: DeliveryParts): DeliveryService {
  const {requireWebhook, requireManager} = access;

  async function requireDelivery({workspace, deadline}: Caller, id: string): Promise<Delivery> {
    const delivery = isId('delivery', id) ? await deliveries.find(workspace, id, deadline) : undefined;
    if (delivery === undefined) throw notFound('delivery');
    return delivery;
  }

  async function planRedelivery(call: Call, id: string): Promise<Plan> {
    const delivery = await requireDelivery(call, id);
    const webhook = await requireWebhook(call, delivery.webhook_id);
    const proof = await requireManager(call);
    if (!webhook.enabled) {
      throw new AppError(
        'webhook_disabled',
        'The webhook is disabled. Enable it, then repeat the redelivery.',
      );
    }
    const pending: Delivery = {
      ...delivery,
      state: delivery.state === 'delivering' ? 'delivering' : 'pending',
    };
    return {
      commit: {
        guards: [...proof, {check: 'revision', id: webhook.id, revision: webhook.revision}],
        writes: [{do: 'redeliver', webhook: webhook.id, delivery: id}],
        events: [],
        reply: {status: 202, inline: JSON.stringify(pending)},
      },
    };
  }

  return {
    async listDeliveries(caller, id, query) {
      const webhook = await requireWebhook(caller, id);
      await requireManager(caller);
      return deliveries.list(caller.workspace, drawnPart(webhook.id), toPage(query), caller.deadline);
    },
    async findDelivery(caller, id) {
      const delivery = await requireDelivery(caller, id);
      await requireManager(caller);
      return delivery;
    },
    async listAttempts(caller, id, query) {
      const delivery = await requireDelivery(caller, id);
      await requireManager(caller);
      return deliveries.listAttempts(caller.workspace, delivery.id, toPage(query), caller.deadline);
    },
    redeliver: (call, delivery) => mutate(call, () => planRedelivery(call, delivery)),
  };
}

function toPage({below, limit}: PageQuery) {
  return {limit, ...(below !== undefined && {below})};
}
