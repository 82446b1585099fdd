import type {Caller} from '../../domain/core/access.js';
import {AppError, notFound} from '../../domain/core/errors.js';
import {isId} from '../../domain/core/ids.js';
import type {Webhook} from '../../domain/webhooks/webhook.js';
import type {ServiceContext} from '../core/context.js';
import type {Proof} from '../core/authority.js';

export function createWebhookAccess({records, authority}: ServiceContext) {
  return {
    /** Finds a webhook. Errors: `not_found`. */
    async requireWebhook({workspace, deadline}: Caller, id: string): Promise<Webhook> {
      const webhook = isId('webhook', id) ? await records.find(workspace, id, deadline) : undefined;
      if (webhook === undefined) throw notFound('webhook');
      return webhook;
    },
    /**
     * Checks that the caller may manage webhooks: only owners and admins, since a webhook can send everything
     * in the workspace to any address. Errors: `forbidden`.
     */
    requireManager: (caller: Caller): Promise<Proof> =>
      authority.requireAdmin(caller, 'see or change webhooks'),
  };
}

/** Refuses a disabled webhook. `act`: the action that the error message suggests after “Enable it, then”. */
export function requireEnabled({enabled}: Webhook, act: string): void {
  if (!enabled) throw new AppError('webhook_disabled', `The webhook is disabled. Enable it, then ${act}.`);
}
