import type {Caller} from '../../domain/core/access.js';
import {AppError, notFound} from '../../domain/core/errors.js';
import {isId} from '../../domain/core/ids.js';
import type {Webhook} from '../../domain/webhooks/webhook.js';
import type {ServiceContext} from '../core/context.js';
import type {Proof} from '../core/authority.js';

export function createWebhookAccess({records, authority, teams}: ServiceContext) {
  /** Leaves out the webhooks that name a private team that the caller may not see. */
  async function selectReached<W extends Pick<Webhook, 'teams'>>(
    caller: Caller,
    webhooks: readonly W[],
  ): Promise<W[]> {
    const hidden = await teams.listHidden(
      caller,
      webhooks.flatMap(({teams: named}) => named ?? []),
    );
    return webhooks.filter(({teams: named}) => named?.some((id) => hidden.has(id)) !== true);
  }

  return {
    /**
     * Finds a webhook. One that names a private team is only for callers who may see the team, since it can
     * send all of it to any address. Errors: `not_found`.
     */
    async requireWebhook(caller: Caller, id: string): Promise<Webhook> {
      const {workspace, deadline} = caller;
      const webhook = isId('webhook', id) ? await records.find(workspace, id, deadline) : undefined;
      const [reached] = webhook === undefined ? [] : await selectReached(caller, [webhook]);
      if (reached === undefined) throw notFound('webhook');
      return reached;
    },
    selectReached,
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
