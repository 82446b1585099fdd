import type {ServiceContext} from '../core/context.js';
import {createWebhookAccess, requireEnabled} from './webhook-access.js';
import type {Call, Caller} from '../../domain/core/access.js';
import type {Commit} from '../../domain/commit/commit.js';
import {toInstant} from '../../domain/core/dates.js';
import {notFound} from '../../domain/core/errors.js';
import {suffixOf, type Id} from '../../domain/core/ids.js';
import type {WebhookHealth} from '../../domain/webhooks/webhook-health.js';
import type {Answer} from '../core/answers.js';

export interface WebhookHealthService {
  /** Returns the health of a webhook. Errors: `forbidden`, `not_found`. */
  findHealth: (access: Caller, webhook: string) => Promise<WebhookHealth>;
  /**
   * Makes a webhook's waiting deliveries due now. While its breaker is open (deliveries have stopped after
   * failures), only the delivery that tests the receiver becomes due. Returns the webhook's health
   * afterwards. Errors: `forbidden`, `not_found`, `webhook_disabled`.
   */
  tryWebhook: (call: Call, webhook: string) => Promise<Answer>;
}

export function createWebhookHealthService(context: ServiceContext): WebhookHealthService {
  const {webhookHealths, mutate, clock} = context;
  const access = createWebhookAccess(context);
  async function readWebhookHealth({workspace, deadline}: Caller, id: Id<'webhook'>): Promise<WebhookHealth> {
    const health = await webhookHealths.find(workspace, suffixOf(id), deadline);
    if (health === undefined) throw notFound('webhook');
    return health;
  }

  async function planTryWebhook(call: Call, reference: string): Promise<Commit> {
    const webhook = await access.requireWebhook(call, reference);
    const proof = await access.requireManager(call);
    requireEnabled(webhook, 'try it again');
    const health = await readWebhookHealth(call, webhook.id);
    return {
      guards: [...proof, {check: 'revision', id: webhook.id, revision: webhook.revision}],
      writes: [{do: 'try-webhook', webhook: suffixOf(webhook.id)}],
      events: [],
      reply: {kind: 'inline', accepted: true, body: JSON.stringify(readHealthAfterTry(health, clock.now()))},
    };
  }

  return {
    async findHealth(caller, id) {
      const webhook = await access.requireWebhook(caller, id);
      await access.requireManager(caller);
      return readWebhookHealth(caller, webhook.id);
    },
    tryWebhook: (call, webhook) => mutate(call, () => planTryWebhook(call, webhook)),
  };
}

function readHealthAfterTry(health: WebhookHealth, now: number): WebhookHealth {
  const {backlog, breaker} = health;
  const at = toInstant(now);
  return {
    ...health,
    backlog: {...backlog, next_attempt_at: backlog.next_attempt_at === null ? null : at},
    breaker: {...breaker, next_probe_at: breaker.next_probe_at === null ? null : at},
  };
}
