import type {Commit, Guard} from '../../domain/commit/commit.js';
import {createWrite, reviseWrite, type Write} from '../../domain/commit/writes.js';
import {type Call, type Caller, operatorId, type PrincipalId} from '../../domain/core/access.js';
import {toInstant} from '../../domain/core/dates.js';
import {AppError, type InputError, fieldError, toRefusalOfFields} from '../../domain/core/errors.js';
import {suffixOf, type IdSuffix, storedSuffix} from '../../domain/core/ids.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import {
  type Draft,
  parseWire,
  readIdOfWireJson,
  toDraft,
  type WireJson,
  addFieldsToWireJson,
} from '../../domain/core/resource.js';
import {requireTeamAtPointer} from '../../domain/teams/team.js';
import type {Webhook, NewWebhook, WebhookChange} from '../../domain/webhooks/webhook.js';
import {
  type HeaderPatch,
  headerLimits,
  listHeadersSentToNewOrigin,
  mergeHeaders,
  type WebhookHeaders,
} from '../../domain/webhooks/webhook-headers.js';
import {defaultSettings, pickSettings} from '../../domain/webhooks/webhook-settings.js';
import type {ServiceContext} from '../core/context.js';
import type {Answer} from '../core/answers.js';
import {scanPages} from '../core/paging.js';
import {type Precondition, requireRevision} from '../core/precondition.js';
import {createWebhookAccess} from './webhook-access.js';
import {planWebhookRevision, changeSettings, schedulingSettingsWrite} from './webhook-settings.js';

const healthsAtOnce = 10;

export function createWebhookService(context: ServiceContext) {
  const {
    mutate,
    records,
    teams,
    subscriptions,
    cipher,
    generateSuffix,
    createSecret,
    checkTarget,
    checkTls,
    webhookHealths,
    clock,
  } = context;
  const {requireWebhook, requireManager, selectReached} = createWebhookAccess(context);

  function generateSecret(suffix: IdSuffix<'webhook'>): {
    secret: string;
    encrypted: string;
    publicKey: string;
  } {
    const {secret, kept, publicKey} = createSecret();
    return {secret, encrypted: cipher.encrypt('webhook-secret', suffix, kept), publicKey};
  }

  /** Returns the errors of `url` if no webhook may send there; empty otherwise. */
  function findUrlErrors(url: string): readonly InputError[] {
    const detail = checkTarget(url);
    return detail === undefined ? [] : [{code: 'webhook_url_forbidden', detail, pointer: '#/url'}];
  }

  function requireAllowedUrl(url: string): void {
    const inputErrors = findUrlErrors(url);
    if (inputErrors.length > 0) throw toRefusalOfFields('webhook_url_forbidden', inputErrors);
  }

  async function resolveTeams(call: Call, references: NewWebhook['teams']): Promise<Webhook['teams']> {
    if (references === undefined || references === null) return null;
    const directory = await teams.of(call);
    const ids = references.map(
      (reference, i) => requireTeamAtPointer(`#/teams/${i}`, directory, reference, call).id,
    );
    return [...new Set(ids)];
  }

  /** Health is read for a few webhooks at a time, so that other requests get answers in between. */
  async function addHealth(
    {workspace, deadline}: Caller,
    {rows, next}: Page<WireJson<Webhook>>,
  ): Promise<Page<WireJson<Webhook>>> {
    const shown: WireJson<Webhook>[] = [];
    for (let at = 0; at < rows.length; at += healthsAtOnce) {
      const some = rows.slice(at, at + healthsAtOnce).map(async (json) => {
        const health = await webhookHealths.find(
          workspace,
          suffixOf(readIdOfWireJson<'webhook'>(json)),
          deadline,
        );
        // A webhook that was deleted meanwhile has no health.
        return health === undefined ? [] : [addFieldsToWireJson(json, {health})];
      });
      shown.push(...(await Promise.all(some)).flat());
    }
    return {rows: shown, next};
  }

  /** Refuses a webhook above a limit. The guards hold the count of those that the same principal created. */
  async function requireRoom({workspace, deadline}: Call, maker?: PrincipalId): Promise<readonly Guard[]> {
    const {webhooksPerWorkspace: most, webhooksPerPrincipal: mostOfOne} = limits;
    if ((await records.count(workspace, lists.webhooks(), deadline)) >= most)
      throw new AppError('limit_reached', `A workspace has at most ${most} webhooks.`);
    if (maker === undefined) return [];
    const {version, webhooks} = await subscriptions.fresh(workspace, deadline);
    if (webhooks.filter(({createdBy}) => createdBy === maker).length >= mostOfOne)
      throw new AppError(
        'limit_reached',
        `A member or service account creates at most ${mostOfOne} webhooks. Delete one, or use another service account.`,
      );
    return [{check: 'unchanged', collection: 'webhooks', version}];
  }

  async function planCreateWebhook(call: Call, input: NewWebhook): Promise<Commit> {
    const proof = await requireManager(call);
    requireAllowedUrl(input.url);
    const enabled = input.enabled ?? true;
    const headers = applyHeadersPatch({}, input.headers ?? {});
    const suffix = storedSuffix<'webhook'>(generateSuffix());
    const {secret, encrypted, publicKey} = generateSecret(suffix);
    const {type, id} = call.principal;
    const maker = id === operatorId ? null : {type, id};
    const draft: Draft<Webhook> = {
      object: 'webhook',
      url: input.url,
      events: [...new Set(input.events)],
      teams: await resolveTeams(call, input.teams),
      description: input.description ?? null,
      header_names: Object.keys(headers),
      enabled,
      disabled_reason: enabled ? null : 'user',
      disabled_at: enabled ? null : toInstant(clock.now()),
      ...changeSettings(defaultSettings, input, checkTls),
      created_by: maker,
      secret_rotated_at: null,
      public_key: publicKey,
    };
    const unchanged = await requireRoom(call, maker?.id);
    const created = createWrite('webhook', suffix, draft, [{list: lists.webhooks()}]);
    return {
      guards: [
        ...proof,
        {check: 'length', list: lists.webhooks(), below: limits.webhooksPerWorkspace},
        ...unchanged,
      ],
      writes: [
        created,
        {do: 'keep-secret', webhook: suffix, encrypted, overlapMs: 0},
        schedulingSettingsWrite(suffix, draft),
        ...(draft.header_names.length === 0 ? [] : [createStoreHeadersWrite(suffix, headers)]),
        {do: 'touch', collection: 'webhooks', suffix},
        ...(enabled ? [] : [{do: 'switch-webhook', webhook: suffix, on: false} as const]),
      ],
      events: [{type: 'webhook.created', about: suffix, revision: 1}],
      reply: {
        kind: 'resource',
        of: created,
        encrypted: cipher.encrypt('shown-once', suffix, JSON.stringify({secret})),
      },
    };
  }

  async function planChangeWebhook(call: Call, id: string, change: WebhookChange, expected?: Precondition) {
    const webhook = await requireWebhook(call, id);
    const proof = await requireManager(call);
    requireRevision(expected, webhook.revision);
    if (change.url !== undefined && change.url !== webhook.url) {
      requireAllowedUrl(change.url);
      requireHeadersAgain(webhook, change.url, change.headers);
    }
    const enabled = change.enabled ?? webhook.enabled;
    const headers = await computeChangedHeaders(call, webhook, change.headers);
    const draft: Draft<Webhook> = {
      ...toDraft(webhook),
      ...(change.url !== undefined && {url: change.url}),
      ...(change.events !== undefined && {events: [...new Set(change.events)]}),
      ...(change.teams !== undefined && {teams: await resolveTeams(call, change.teams)}),
      ...(change.description !== undefined && {description: change.description}),
      ...(headers !== undefined && {header_names: Object.keys(headers)}),
      enabled,
      disabled_reason: enabled ? null : (webhook.disabled_reason ?? 'user'),
      disabled_at: enabled ? null : (webhook.disabled_at ?? toInstant(clock.now())),
      ...changeSettings(pickSettings(webhook), change, checkTls),
    };
    const writes = headers === undefined ? [] : [createStoreHeadersWrite(suffixOf(webhook.id), headers)];
    const type = webhook.enabled && !enabled ? 'webhook.disabled' : 'webhook.updated';
    return planWebhookRevision(webhook, type, draft, proof, writes);
  }

  /**
   * Returns the headers after a change; undefined if they do not change. The guard on the revision covers the
   * headers, since every change of the headers makes a new revision.
   */
  async function computeChangedHeaders(
    {workspace, deadline}: Call,
    {id}: Webhook,
    patch: WebhookChange['headers'],
  ): Promise<WebhookHeaders | undefined> {
    if (patch === undefined) return undefined;
    const suffix = suffixOf(id);
    const encrypted = await records.findHeaders(workspace, suffix, deadline);
    const before =
      encrypted === undefined
        ? {}
        : (JSON.parse(cipher.decrypt('webhook-headers', suffix, encrypted)) as WebhookHeaders);
    const after = patch === null ? {} : applyHeadersPatch(before, patch);
    return JSON.stringify(after) === JSON.stringify(before) ? undefined : after;
  }

  function createStoreHeadersWrite(suffix: IdSuffix<'webhook'>, headers: WebhookHeaders): Write {
    const none = Object.keys(headers).length === 0;
    const encrypted = none ? null : cipher.encrypt('webhook-headers', suffix, JSON.stringify(headers));
    return {do: 'keep-headers', webhook: suffix, encrypted};
  }

  async function planSecretRotation(call: Call, id: string, overlap: number): Promise<Commit> {
    // The role is checked first. Otherwise a repeated request for a deleted webhook would show the secret to
    // anyone.
    const proof = await requireManager(call);
    const webhook = await requireWebhook(call, id);
    const suffix = suffixOf(webhook.id);
    const {secret, encrypted, publicKey} = generateSecret(suffix);
    const now = clock.now();
    const overlapMs = overlap * 1_000;
    const draft: Draft<Webhook> = {
      ...toDraft(webhook),
      secret_rotated_at: toInstant(now),
      public_key: publicKey,
    };
    const revised = reviseWrite(webhook, draft);
    const shown = {secret, previous_secret_expires_at: overlap === 0 ? null : toInstant(now + overlapMs)};
    return {
      guards: proof,
      writes: [revised, {do: 'keep-secret', webhook: suffix, encrypted, overlapMs}],
      events: [{type: 'webhook.updated', about: suffix, revision: webhook.revision + 1}],
      reply: {
        kind: 'resource',
        of: revised,
        encrypted: cipher.encrypt('shown-once', suffix, JSON.stringify(shown)),
      },
    };
  }

  async function planDeleteWebhook(call: Call, reference: string, expected?: Precondition): Promise<Commit> {
    const webhook = await requireWebhook(call, reference);
    const proof = await requireManager(call);
    const {id, revision} = webhook;
    requireRevision(expected, revision);
    return {
      effect: 'release',
      guards: proof,
      writes: [
        {do: 'remove', id, from: revision, lists: [lists.webhooks()], names: []},
        {do: 'close-webhook', webhook: suffixOf(id)},
        {do: 'touch', collection: 'webhooks', suffix: suffixOf(id)},
      ],
      events: [{type: 'webhook.deleted', about: suffixOf(id), revision}],
      reply: {kind: 'empty'},
    };
  }

  return {
    findUrlErrors,
    /**
     * Creates a webhook. The answer has `secret`, shown only here. Errors: `webhook_url_forbidden`,
     * `team_not_found`, `limit_reached`.
     */
    createWebhook: (call: Call, input: NewWebhook): Promise<Answer<Webhook & {readonly secret: string}>> =>
      mutate(call, () => planCreateWebhook(call, input)),
    async findWebhook(caller: Caller, id: string): Promise<Webhook> {
      const webhook = await requireWebhook(caller, id);
      await requireManager(caller);
      return webhook;
    },
    /** Lists webhooks. With `withHealth`, each has the field `health`. */
    async listWebhooks(
      caller: Caller,
      {withHealth = false, ...query}: PageQuery & {readonly withHealth?: boolean | undefined},
    ): Promise<Page<WireJson<Webhook>>> {
      await requireManager(caller);
      const page = await scanPages(
        (part) => records.list(caller.workspace, {list: lists.webhooks(), ...part}, caller.deadline),
        query,
        async (rows) => {
          const found = rows.map(({json}) => parseWire(json));
          const reached = new Set(await selectReached(caller, found));
          return rows.map(({json}, i) => {
            const webhook = found[i];
            return webhook !== undefined && reached.has(webhook) ? json : undefined;
          });
        },
      );
      return withHealth ? addHealth(caller, page) : page;
    },
    changeWebhook: (
      call: Call,
      id: string,
      change: WebhookChange,
      expected?: Precondition,
    ): Promise<Answer<Webhook>> => mutate(call, () => planChangeWebhook(call, id, change, expected)),
    /**
     * Replaces the signing secret; the answer has the new one, shown only here. For `overlap` seconds,
     * deliveries are signed with the last two earlier secrets too; after that with the new one only.
     */
    rotateSecret: (
      call: Call,
      id: string,
      overlap: number = lifetimes.secretOverlapDefault,
    ): Promise<Answer<Webhook & {readonly secret: string}>> =>
      mutate(call, () => planSecretRotation(call, id, overlap)),
    deleteWebhook: (call: Call, id: string, expected?: Precondition): Promise<Answer<void>> =>
      mutate(call, () => planDeleteWebhook(call, id, expected)),
  };
}

function requireHeadersAgain(webhook: Webhook, url: string, patch: WebhookChange['headers']): void {
  const names = listHeadersSentToNewOrigin(webhook.header_names, patch, {from: webhook.url, to: url});
  if (names.length === 0) return;
  const what = `Headers do not move to another origin automatically: ${names.join(', ')}.`;
  const fix = 'Send each again with its value, or as null to remove it, in the same change.';
  throw fieldError('validation_failed', '#/headers', `${what} ${fix}`);
}

function applyHeadersPatch(before: WebhookHeaders, patch: HeaderPatch): WebhookHeaders {
  const after = mergeHeaders(before, patch);
  if (Object.keys(after).length <= headerLimits.count) return after;
  throw fieldError('validation_failed', '#/headers', `A webhook has at most ${headerLimits.count} headers.`);
}
