import type {Access, Call} from '../domain/access.js';
import type {Delivery} from '../domain/delivery.js';
import {AppError, fieldError, notFound} from '../domain/errors.js';
import {drawnPart, isId} from '../domain/ids.js';
import {limits} from '../domain/limits.js';
import {lists} from '../domain/lists.js';
import {type Draft, isSame, toDraft} from '../domain/resource.js';
import {unknownTeam} from '../domain/team.js';
import type {DisabledReason, Webhook} from '../domain/webhook.js';
import type {Authority, Proof} from './authority.js';
import {type Answer, type Mutate, type Plan, planNothing} from './mutation.js';
import {type Expected, requireRevision} from './precondition.js';
import type {Page} from './page.js';
import type {Deliveries, DrawId, Records, Sealer, Teams} from './stores.js';

export interface NewWebhook {
  readonly url: string;
  /** Event types, `noun.*` or `*`. */
  readonly events: readonly string[];
  /** Ids or slugs; null or left out for all teams. */
  readonly teams?: readonly string[] | null | undefined;
  readonly description?: string | null | undefined;
  readonly enabled?: boolean | undefined;
}

export type WebhookChange = {readonly [K in keyof NewWebhook]?: NewWebhook[K] | undefined};

export interface WebhookService {
  /** The answer has `secret`, shown only here. Errors: `webhook_url_forbidden`, `team_not_found`, `limit_reached`. */
  createWebhook(call: Call, input: NewWebhook): Promise<Answer>;
  findWebhook(access: Access & {deadline: number}, id: string): Promise<Webhook>;
  listWebhooks(
    access: Access & {deadline: number},
    query: {below?: number | undefined; limit: number},
  ): Promise<Page>;
  changeWebhook(call: Call, id: string, change: WebhookChange, expected?: Expected): Promise<Answer>;
  /** Switches a webhook off because its receiver asked for it or has failed for too long; nothing when it is off already. */
  disableWebhook(call: Call, id: string, reason: DisabledReason): Promise<Answer>;
  deleteWebhook(call: Call, id: string, expected?: Expected): Promise<Answer>;
  listDeliveries(
    access: Access & {deadline: number},
    webhook: string,
    query: {below?: number | undefined; limit: number},
  ): Promise<{deliveries: readonly Delivery[]; next: number | undefined}>;
  /** Sends a delivery again, whatever became of it; its id and its event stay. Errors: `webhook_disabled`. */
  redeliver(call: Call, delivery: string): Promise<Answer>;
}

export interface WebhookParts {
  readonly mutate: Mutate;
  readonly records: Records;
  readonly teams: Teams;
  readonly deliveries: Deliveries;
  readonly sealer: Sealer;
  readonly drawId: DrawId;
  /** A new signing secret, `whsec_…`. */
  readonly createSecret: () => string;
  /** Why a URL may not be a target; undefined when it may. */
  readonly checkTarget: (url: string) => string | undefined;
  readonly authority: Authority;
}

export function createWebhookService(parts: WebhookParts): WebhookService {
  const {mutate, records, teams, deliveries, sealer, drawId, createSecret, checkTarget, authority} = parts;

  async function requireWebhook(
    {workspace, deadline}: Access & {deadline: number},
    id: string,
  ): Promise<Webhook> {
    const webhook = isId('webhook', id) ? await records.find<Webhook>(workspace, id, deadline) : undefined;
    if (webhook === undefined) throw notFound('webhook');
    return webhook;
  }

  async function requireDelivery(
    {workspace, deadline}: Access & {deadline: number},
    id: string,
  ): Promise<Delivery> {
    const delivery = isId('delivery', id) ? await deliveries.find(workspace, id, deadline) : undefined;
    if (delivery === undefined) throw notFound('delivery');
    return delivery;
  }

  /** Webhooks send what the whole workspace writes to anywhere: those who run it decide on them, and see where they lead. */
  function requireManager(access: Access & {deadline: number}): Promise<Proof> {
    return authority.requireAdmin(access, 'see or change webhooks');
  }

  function requireTarget(url: string): void {
    const fault = checkTarget(url);
    if (fault !== undefined) throw fieldError('webhook_url_forbidden', '#/url', fault);
  }

  async function resolveTeams(
    call: Call,
    references: NewWebhook['teams'],
  ): Promise<readonly string[] | null> {
    if (references === undefined || references === null) return null;
    const directory = await teams.fresh(call.workspace, call.deadline);
    const ids = references.map((reference, i) => {
      const team = directory.byReference(reference);
      if (team === undefined)
        throw fieldError('team_not_found', `#/teams/${i}`, unknownTeam(reference, directory));
      return team.id;
    });
    return [...new Set(ids)];
  }

  async function planCreate(call: Call, input: NewWebhook): Promise<Plan> {
    const proof = await requireManager(call);
    requireTarget(input.url);
    const enabled = input.enabled ?? true;
    const draft: Draft<Webhook> = {
      object: 'webhook',
      url: input.url,
      events: [...new Set(input.events)],
      teams: await resolveTeams(call, input.teams),
      description: input.description ?? null,
      enabled,
      disabled_reason: enabled ? null : 'user',
    };
    if (
      (await records.count(call.workspace, lists.webhooks(), call.deadline)) >= limits.webhooksPerWorkspace
    ) {
      throw new AppError('limit_reached', `A workspace has at most ${limits.webhooksPerWorkspace} webhooks.`);
    }
    const drawn = drawId();
    const secret = createSecret();
    return {
      commit: {
        guards: [...proof, {check: 'shorter', list: lists.webhooks(), than: limits.webhooksPerWorkspace}],
        writes: [
          {do: 'create', kind: 'webhook', drawn, draft, lists: [{list: lists.webhooks()}]},
          {do: 'keep-secret', drawn, sealed: sealer.seal('webhook-secret', drawn, secret)},
          {do: 'touch', collection: 'webhooks'},
          ...(enabled ? [] : [{do: 'pause-webhook', drawn} as const]),
        ],
        events: [{type: 'webhook.created', about: drawn, revision: 1}],
        reply: {
          status: 201,
          resource: {drawn, revision: 1},
          sealed: sealer.seal('shown-once', drawn, JSON.stringify({secret})),
        },
      },
    };
  }

  async function planChange(
    call: Call,
    id: string,
    change: WebhookChange,
    expected?: Expected,
  ): Promise<Plan> {
    const webhook = await requireWebhook(call, id);
    const proof = await requireManager(call);
    requireRevision(expected, webhook.revision);
    if (change.url !== undefined && change.url !== webhook.url) requireTarget(change.url);
    const enabled = change.enabled ?? webhook.enabled;
    const draft: Draft<Webhook> = {
      ...toDraft(webhook),
      ...(change.url !== undefined && {url: change.url}),
      ...(change.events !== undefined && {events: [...new Set(change.events)]}),
      ...(change.teams !== undefined && {teams: await resolveTeams(call, change.teams)}),
      ...(change.description !== undefined && {description: change.description}),
      enabled,
      disabled_reason: enabled ? null : (webhook.disabled_reason ?? 'user'),
    };
    return planRevision(webhook, 'webhook.updated', draft, proof);
  }

  function planRevision(
    webhook: Webhook,
    type: 'webhook.updated' | 'webhook.disabled',
    draft: Draft<Webhook>,
    proof: Proof = [],
  ): Plan {
    const drawn = drawnPart(webhook.id);
    if (isSame(webhook, draft)) return planNothing(webhook);
    const next = webhook.revision + 1;
    return {
      commit: {
        guards: proof,
        writes: [
          {do: 'revise', id: webhook.id, from: webhook.revision, createdAt: webhook.created_at, draft},
          {do: 'touch', collection: 'webhooks'},
          draft.enabled ? {do: 'open-webhook', drawn} : {do: 'pause-webhook', drawn},
        ],
        events: [{type, about: drawn, revision: next}],
        reply: {status: 200, resource: {drawn, revision: next}},
      },
    };
  }

  async function planDelete(call: Call, id: string, expected?: Expected): Promise<Plan> {
    const webhook = await requireWebhook(call, id);
    const proof = await requireManager(call);
    requireRevision(expected, webhook.revision);
    return {
      commit: {
        effect: 'release',
        guards: proof,
        writes: [
          {do: 'remove', id, from: webhook.revision, lists: [lists.webhooks()]},
          {do: 'drop-secret', id},
          {do: 'close-webhook', id},
          {do: 'touch', collection: 'webhooks'},
        ],
        events: [{type: 'webhook.deleted', about: drawnPart(id), revision: webhook.revision}],
        reply: {status: 204},
      },
    };
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
    createWebhook: (call, input) => mutate(call, () => planCreate(call, input)),
    async findWebhook(access, id) {
      const webhook = await requireWebhook(access, id);
      await requireManager(access);
      return webhook;
    },
    async listWebhooks(access, {below, limit}) {
      await requireManager(access);
      const {workspace, deadline} = access;
      const query = {list: lists.webhooks(), limit, ...(below !== undefined && {below})};
      const {rows, more} = await records.list(workspace, query, deadline);
      return {rows: rows.map(({json}) => json), next: more ? rows.at(-1)?.place : undefined};
    },
    changeWebhook: (call, id, change, expected) => mutate(call, () => planChange(call, id, change, expected)),
    disableWebhook: (call, id, reason) =>
      mutate(call, async () => {
        const webhook = await requireWebhook(call, id);
        const draft = webhook.enabled
          ? {...toDraft(webhook), enabled: false, disabled_reason: reason}
          : toDraft(webhook);
        return planRevision(webhook, 'webhook.disabled', draft);
      }),
    deleteWebhook: (call, id, expected) => mutate(call, () => planDelete(call, id, expected)),
    async listDeliveries(access, id, {below, limit}) {
      const webhook = await requireWebhook(access, id);
      await requireManager(access);
      const page = {limit, ...(below !== undefined && {below})};
      return deliveries.list(access.workspace, drawnPart(webhook.id), page, access.deadline);
    },
    redeliver: (call, delivery) => mutate(call, () => planRedelivery(call, delivery)),
  };
}
