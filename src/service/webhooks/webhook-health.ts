import type {Call, Caller} from '../../domain/core/access.js';
import {type Commit, type CommitPart, nothing} from '../../domain/commit/commit.js';
import {toInstant} from '../../domain/core/dates.js';
import {notFound} from '../../domain/core/errors.js';
import {suffixOf, type Id, type IdSuffix} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import type {WebhookHealth} from '../../domain/webhooks/webhook-health.js';
import {toDraft} from '../../domain/core/resource.js';
import type {DisabledReason, Webhook} from '../../domain/webhooks/webhook.js';
import {type FailureStreak, decideFailureAction} from '../../domain/webhooks/webhook-failing.js';
import type {ServiceContext} from '../core/context.js';
import type {Answer} from '../core/answers.js';
import type {Proof} from '../core/authority.js';
import {planNothing} from '../core/mutation.js';
import {listRecords} from '../core/paging.js';
import {createNoticeWrites, limitNotices} from '../core/queue-mail.js';
import {createWorkspaceService} from '../workspaces/workspaces.js';
import {createWebhookAccess, requireEnabled} from './webhook-access.js';
import {planWebhookRevision} from './webhook-settings.js';

export function createWebhookHealthService(context: ServiceContext) {
  const {webhookHealths, mutate, clock} = context;
  const {requireManager, requireWebhook} = createWebhookAccess(context);

  async function readWebhookHealth({workspace, deadline}: Caller, id: Id<'webhook'>): Promise<WebhookHealth> {
    const health = await webhookHealths.find(workspace, suffixOf(id), deadline);
    if (health === undefined) throw notFound('webhook');
    return health;
  }

  async function planTryWebhook(call: Call, reference: string): Promise<Commit> {
    const webhook = await requireWebhook(call, reference);
    const proof = await requireManager(call);
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
    /** Returns the health of a webhook. Errors: `forbidden`, `not_found`. */
    async findHealth(caller: Caller, id: string): Promise<WebhookHealth> {
      const webhook = await requireWebhook(caller, id);
      await requireManager(caller);
      return readWebhookHealth(caller, webhook.id);
    },
    /**
     * Makes a webhook's waiting deliveries due now. While its breaker is open (deliveries have stopped after
     * failures), only the delivery that tests the receiver becomes due. Returns the webhook's health
     * afterwards. Errors: `forbidden`, `not_found`, `webhook_disabled`.
     */
    tryWebhook: (call: Call, webhook: string): Promise<Answer> =>
      mutate(call, () => planTryWebhook(call, webhook)),
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

/** The largest number of members that one commit notifies, owners first; each mail has six keys. */
const mostNotified = 20;

/** Acts on a webhook by the answers of its receiver. Only jobs use this, never a caller's request. */
export function createWebhookFailures(context: ServiceContext) {
  const {mutate, records, clock, webhookFailing} = context;
  const {requireWebhook} = createWebhookAccess(context);
  const {findWorkspace} = createWorkspaceService(context);

  async function planDisabling(
    call: Call,
    webhook: Webhook,
    reason: DisabledReason,
    proof: Proof = [],
  ): Promise<Commit> {
    if (!webhook.enabled) return planNothing(webhook);
    const disabledAt = toInstant(clock.now());
    const draft = {...toDraft(webhook), enabled: false, disabled_reason: reason, disabled_at: disabledAt};
    const notified = await planNotices(call, {id: webhook.id, revision: webhook.revision + 1}, null);
    return planWebhookRevision(
      webhook,
      'webhook.disabled',
      draft,
      [...proof, ...notified.guards],
      notified.writes,
    );
  }

  /** Plans mails to the owners and admins who are not in Slack. `since`: null for a disabled webhook. */
  async function planNotices(
    call: Call,
    {id, revision}: Pick<Webhook, 'id' | 'revision'>,
    since: number | null,
  ): Promise<Pick<CommitPart, 'guards' | 'writes'>> {
    if (context.mail === undefined) return nothing;
    const fact = {kind: 'notice', about: 'webhook', webhook: suffixOf(id), revision, since} as const;
    const [{slack}, ...found] = await Promise.all([
      findWorkspace(call),
      ...(['owner', 'admin'] as const).map((role) =>
        listRecords(records, call, {list: lists.membersOfRole(role), limit: limits.pageMax}),
      ),
    ]);
    const notified = found
      .flat()
      .filter((member) => !slack.connected || member.slack_user_id === null)
      .flatMap(({email: to, email_status: status, id: member, revision: known, reports}) =>
        to === null || status === 'refused' || !reports.notices ? [] : [{member, to, revision: known}],
      )
      .slice(0, mostNotified);
    return {
      // Nothing is queued for a member who has left since, or who has another address.
      guards: notified.map((one) => ({check: 'revision', id: one.member, revision: one.revision}) as const),
      writes: await limitNotices(
        context,
        call,
        {kind: fact.about, about: id},
        notified.flatMap((one) => createNoticeWrites(context, fact, one)),
      ),
    };
  }

  /** A success meanwhile ends the failure, and a guard then makes this commit fail. */
  async function planFailureAction(call: Call, id: Id<'webhook'>): Promise<Commit> {
    const webhook = await requireWebhook(call, id);
    const suffix = suffixOf(id);
    const failing = await webhookFailing.find(call.workspace, suffix, call.deadline);
    const failureAction = clock.isSteady() ? decideFailureAction(failing, clock.now()) : 'well';
    if (!webhook.enabled || failing === undefined || failureAction === 'well') return planNothing(webhook);
    const {since, warned} = failing;
    const proof: Proof = [{check: 'failing', webhook: suffix, since, warned}];
    return failureAction === 'disable'
      ? planDisabling(call, webhook, 'failing', proof)
      : planWarning(call, webhook, failing, proof);
  }

  async function planWarning(
    call: Call,
    {id, revision}: Webhook,
    {since}: FailureStreak,
    proof: Proof,
  ): Promise<Commit> {
    const about = suffixOf(id);
    const notified = await planNotices(call, {id, revision}, since);
    return {
      effect: 'release',
      guards: [...proof, {check: 'revision', id, revision}, ...notified.guards],
      writes: [{do: 'mark-warned', webhook: about}, ...notified.writes],
      events: [{type: 'webhook.failing', about, revision, since}],
      reply: {kind: 'empty'},
    };
  }

  return {
    /**
     * Disables a webhook because its receiver asked for that or has failed for too long. Does nothing if the
     * webhook is disabled already, or if its address is no longer `url`.
     */
    disableWebhook: (
      call: Call,
      id: Id<'webhook'>,
      reason: DisabledReason,
      url?: string,
    ): Promise<Answer<Webhook>> =>
      mutate(call, async () => {
        const webhook = await requireWebhook(call, id);
        return url === undefined || webhook.url === url
          ? planDisabling(call, webhook, reason)
          : planNothing(webhook);
      }),
    /**
     * Acts on the time since a webhook's last success. Half-way to the limit, an event warns the workspace
     * once; at the limit the webhook is disabled. Does nothing if neither is due. `suffix`: the webhook's id
     * suffix.
     */
    async judgeWebhook(call: Call, suffix: IdSuffix<'webhook'>): Promise<void> {
      const webhook = await records.findBySuffix(call.workspace, suffix, call.deadline);
      if (webhook !== undefined) await mutate(call, () => planFailureAction(call, webhook.id));
    },
  };
}
