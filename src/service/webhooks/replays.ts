import type {Commit} from '../../domain/commit/commit.js';
import type {Call, Caller} from '../../domain/core/access.js';
import {parseInstant, toInstant} from '../../domain/core/dates.js';
import {AppError, fieldError, notFound} from '../../domain/core/errors.js';
import type {EventType} from '../../domain/events/event.js';
import {suffixOf, isId, storedSuffix} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists, type PageQuery} from '../../domain/core/lists.js';
import type {Replay, ReplayOnly, ReplayPlan} from '../../domain/webhooks/replay.js';
import type {ServiceContext} from '../core/context.js';
import type {Answer} from '../core/answers.js';
import {createWebhookAccess} from './webhook-access.js';

export interface NewReplay {
  /** The range of event times; both ends are included. `until` is at most now, which is also the default. */
  readonly since: string;
  readonly until?: string | undefined;
  /** The event types. Left out or null: all types that the webhook subscribes to. */
  readonly types?: readonly EventType[] | null | undefined;
  /** The deliveries to send. Default: `failed`, which skips deliveries that have arrived. */
  readonly only?: ReplayOnly | undefined;
  /** True to count the events without sending anything. */
  readonly dryRun?: boolean | undefined;
}

const dayMs = 24 * 3_600_000;

export function createReplayService(context: ServiceContext) {
  const {mutate, events, replays, generateSuffix, retention, clock} = context;
  const {requireWebhook, requireManager} = createWebhookAccess(context);

  async function requireReplay({workspace, deadline}: Caller, webhook: string, id: string): Promise<Replay> {
    const replay =
      isId('webhook', webhook) && isId('replay', id)
        ? await replays.find(workspace, webhook, id, deadline)
        : undefined;
    if (replay === undefined) throw notFound('replay');
    return replay;
  }

  async function planStartReplay(call: Call, id: string, input: NewReplay): Promise<Commit> {
    const {workspace, deadline} = call;
    const webhook = await requireWebhook(call, id);
    const proof = await requireManager(call);
    const times = requireReplayRange(input, clock.now(), retention.delivery);
    const dryRun = input.dryRun ?? false;
    if (!webhook.enabled && !dryRun) {
      const fix = 'Enable it, then repeat the replay; `dry_run` counts what it would send.';
      throw new AppError('webhook_disabled', `The webhook is disabled. ${fix}`);
    }
    const running = await replays.findRunning(workspace, suffixOf(webhook.id), deadline);
    if (running?.id !== undefined) {
      const fix = 'Wait for it, or cancel it with DELETE.';
      throw new AppError(
        'limit_reached',
        `A webhook has one running replay at a time, and ${running.id} runs. ${fix}`,
      );
    }
    const webhookSuffix = suffixOf(webhook.id);
    const dayAgo = clock.now() - dayMs;
    if (!dryRun) {
      const begun = await replays.listSending(workspace, webhookSuffix, dayAgo, deadline);
      if (begun.length >= limits.replaysPerDay) throw createTooManyReplaysError(begun);
    }
    const instead = await replays.findOldest(workspace, webhookSuffix, limits.replaysPerWebhook, deadline);
    const plan: ReplayPlan = {
      webhook: webhook.id,
      ...times,
      types: input.types === undefined || input.types === null ? null : [...new Set(input.types)],
      only: input.only ?? 'failed',
      dryRun,
      ...(await events.findRange(workspace, times.since, times.until, deadline)),
    };
    const suffix = storedSuffix<'replay'>(generateSuffix());
    return {
      guards: [
        ...proof,
        {check: 'revision', id: webhook.id, revision: webhook.revision},
        {check: 'replaying', webhook: webhookSuffix, replay: running?.suffix ?? null},
        {
          check: 'length',
          list: lists.replaysOf(suffixOf(webhook.id)),
          below: limits.replaysPerWebhook + (instead === undefined ? 0 : 1),
        },
        ...(dryRun
          ? []
          : [
              {
                check: 'length' as const,
                list: lists.sendingReplaysOf(suffixOf(webhook.id)),
                below: limits.replaysPerDay,
                past: dayAgo,
              },
            ]),
      ],
      writes: [{do: 'start-replay', suffix, plan, ...(instead !== undefined && {instead})}],
      events: [],
      reply: {kind: 'replay', suffix, plan},
    };
  }

  async function planCancelReplay(call: Call, webhookId: string, id: string): Promise<Commit> {
    const webhook = await requireWebhook(call, webhookId);
    const replay = await requireReplay(call, webhook.id, id);
    const proof = await requireManager(call);
    return {
      effect: 'release',
      guards: proof,
      writes: [{do: 'cancel-replay', webhook: suffixOf(webhook.id), replay: suffixOf(replay.id)}],
      events: [],
      reply: {kind: 'empty'},
    };
  }

  return {
    /**
     * Sends events of a time range to a webhook again, in the background; returns the new replay. A webhook
     * has at most one running replay. Errors: `validation_failed`; `webhook_disabled`, except for a dry run;
     * `limit_reached` while another replay runs, or after too many within 24 hours.
     */
    startReplay: (call: Call, webhook: string, input: NewReplay): Promise<Answer> =>
      mutate(call, () => planStartReplay(call, webhook, input)),
    /** Lists replays, newest first. */
    async listReplays(
      caller: Caller,
      id: string,
      page: PageQuery,
    ): Promise<{replays: readonly Replay[]; next: number | undefined}> {
      const webhook = await requireWebhook(caller, id);
      await requireManager(caller);
      return replays.list(caller.workspace, suffixOf(webhook.id), page, caller.deadline);
    },
    async findReplay(caller: Caller, webhookId: string, id: string): Promise<Replay> {
      const webhook = await requireWebhook(caller, webhookId);
      const replay = await requireReplay(caller, webhook.id, id);
      await requireManager(caller);
      return replay;
    },
    /** Stops a replay: its remaining events are not sent. Does nothing for a replay that has ended. */
    cancelReplay: (call: Call, webhook: string, id: string): Promise<Answer> =>
      mutate(call, () => planCancelReplay(call, webhook, id)),
  };
}

/** Returns the error for too many replays. `begun`: the times (ms) at which they began, oldest first. */
function createTooManyReplaysError(begun: readonly number[]): AppError {
  const next = toInstant((begun.at(-limits.replaysPerDay) ?? 0) + dayMs);
  const limit = `Of one webhook ${limits.replaysPerDay} replays may begin within 24 hours, dry runs not counted`;
  return new AppError('limit_reached', `${limit}. The next one may begin at ${next}.`);
}

/** Checks the time range of a replay. `reach`: how far back it may go, in seconds. */
function requireReplayRange({since, until}: NewReplay, now: number, reach: number) {
  const parse = (instant: string) => parseInstant(instant) ?? Number.NaN;
  const [from, to] = [parse(since), until === undefined ? now : Math.min(now, parse(until))];
  if (from > now) throw fieldError('validation_failed', '#/since', '`since` must not lie in the future.');
  if (from > to) throw fieldError('validation_failed', '#/since', '`since` must not lie after `until`.');
  if (from < now - reach * 1_000) {
    const why = 'a delivery expires that long after its event';
    throw fieldError(
      'validation_failed',
      '#/since',
      `\`since\` must not lie more than ${reach / (24 * 3600)} days back: ${why}.`,
    );
  }
  return {since: from, until: to};
}
