import type {Caller} from '../../domain/core/access.js';
import {notFound} from '../../domain/core/errors.js';
import {drawnPart} from '../../domain/core/ids.js';
import type {WebhookHealth} from '../../domain/webhooks/webhook-health.js';
import type {WebhookAccess} from './webhook-access.js';
import type {WebhookHealths} from '../../store/webhooks/webhook-health.js';

export interface WebhookHealthService {
  /** How a webhook is doing. Errors: `forbidden`, `not_found`. */
  findHealth: (access: Caller, webhook: string) => Promise<WebhookHealth>;
}

export function createWebhookHealthService({
  webhookHealths,
  access,
}: {
  readonly webhookHealths: WebhookHealths;
  readonly access: WebhookAccess;
}): WebhookHealthService {
  return {
    async findHealth(caller, id) {
      const webhook = await access.requireWebhook(caller, id);
      await access.requireManager(caller);
      const {workspace, deadline} = caller;
      const health = await webhookHealths.find(workspace, drawnPart(webhook.id), deadline);
      if (health === undefined) throw notFound('webhook');
      return health;
    },
  };
}
