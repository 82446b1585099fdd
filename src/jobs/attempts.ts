import type {Charge, SendResult} from '../domain/webhooks/attempt.js';
import {createAttemptRecord, createExchangeRecord} from '../domain/webhooks/attempt-record.js';
import {addPlainText, type LogEntry, removeResourceContent} from '../domain/events/event.js';
import {type Id, composeId, type IdSuffix} from '../domain/core/ids.js';
import {formatTraceparent, type TraceContext} from '../domain/core/trace-context.js';
import {noSpan, runInSpan, type Span} from '../domain/core/tracer.js';
import {
  type AttemptOutcome,
  decideAttemptOutcome,
  convertRetryScheduleToWaits,
} from '../domain/webhooks/retry.js';
import type {Webhook} from '../domain/webhooks/webhook.js';
import type {WebhookHeaders} from '../domain/webhooks/webhook-headers.js';
import {pickSettings, type WebhookSettings} from '../domain/webhooks/webhook-settings.js';
import type {Claim, Result, EncryptedTarget} from '../store/webhooks/claims.js';
import {createSystemCall, type JobContext} from './context.js';

/** The URL, additional headers and signing secrets (newest first) of a webhook, as claimed. */
export interface DeliveryTarget {
  readonly webhook: Webhook;
  readonly settings: WebhookSettings;
  readonly headers: WebhookHeaders;
  readonly secrets: readonly string[];
}

/** An event in the form in which it is sent. */
export interface EventMessage {
  readonly entry: LogEntry;
  readonly body: string;
}

/** Sends one request of a delivery, and interprets its answer. */
export type Attempts = ReturnType<typeof createAttempts>;

export function createAttempts(context: JobContext) {
  const {store, services, pace, sign, send, userAgent, random, failpoint, tracer} = context;
  const {cipher, clock, retention} = store;
  const opened = new WeakMap<EncryptedTarget, DeliveryTarget>();

  /** Starts the span of an attempt, if its event is in a trace. The receiver's address is not told. */
  function startAttemptSpan(
    workspace: Id<'workspace'>,
    {suffix, attempt}: Claim,
    {id, type, at, trace}: LogEntry,
    webhook: Id<'webhook'>,
    parent: TraceContext | undefined,
  ): Span {
    if (trace === undefined) return noSpan;
    return tracer.start('POST webhook', {
      kind: 'client',
      parent,
      links: [trace],
      attributes: {
        'http.request.method': 'POST',
        'standup.workspace': workspace,
        'standup.webhook': webhook,
        'standup.delivery': composeId('delivery', at, suffix),
        'standup.attempt': attempt,
        'standup.event': id,
        'standup.event_type': type,
      },
    });
  }

  return {
    /** Decrypts the target of a delivery. The same encrypted target is decrypted only once. */
    openTarget(suffix: IdSuffix<'webhook'>, target: EncryptedTarget): DeliveryTarget {
      const known = opened.get(target);
      if (known !== undefined) return known;
      const {webhook, encrypted} = target;
      const headers =
        encrypted.headers === null ? '{}' : cipher.decrypt('webhook-headers', suffix, encrypted.headers);
      const made = {
        webhook,
        settings: pickSettings(webhook),
        headers: JSON.parse(headers) as WebhookHeaders,
        secrets: encrypted.secrets.map((secret) => cipher.decrypt('webhook-secret', suffix, secret)),
      };
      opened.set(target, made);
      return made;
    },
    /**
     * Returns the result to record; undefined when we aborted the request, which does not count. `message` is
     * undefined when the event is no longer stored. `maySend` is called right before the request is sent.
     * `parent`: the span of the time slice that claimed the delivery.
     */
    async make(
      workspace: Id<'workspace'>,
      claim: Claim,
      message: EventMessage | undefined,
      {webhook, settings, headers, secrets}: DeliveryTarget,
      maySend: () => boolean,
      parent?: TraceContext,
    ): Promise<Result | undefined> {
      await pace();
      const {claimedAt} = claim;
      const expiresAtMs = (message?.entry.at ?? 0) + retention.delivery * 1_000;
      if (message === undefined || claimedAt > expiresAtMs)
        return {claim, state: 'expired', delayMs: 0, charge: 'none', counted: false};
      const {entry} = message;
      const {retry_schedule: waits, signature_versions: versions, tls} = settings;
      const body = renderBody(message, settings);
      failpoint('before-request');
      const timestamp = Math.floor(clock.now() / 1_000);
      // The webhook's additional headers are in the middle, so that they can replace `user-agent` but no
      // signed header. Separate assignments are used because a spread would cost as much as the signature.
      const sentHeaders: Record<string, string> = {
        'content-type': 'application/json',
        'user-agent': userAgent,
      };
      Object.assign(sentHeaders, headers);
      sentHeaders['standup-delivery'] = composeId('delivery', entry.at, claim.suffix);
      sentHeaders['standup-attempt'] = String(claim.attempt);
      if (claim.number !== undefined) sentHeaders['standup-sequence'] = String(claim.number);
      Object.assign(sentHeaders, sign({id: entry.id, timestamp, body, secrets, versions}));
      const span = startAttemptSpan(workspace, claim, entry, webhook.id, parent);
      if (span.context?.sampled) sentHeaders['traceparent'] ??= formatTraceparent(span.context);
      const request = {url: webhook.url, body, headers: sentHeaders, maySend};
      const sent = await runInSpan(
        span,
        () => send(tls === null ? request : {...request, tls}),
        ({status, error}) => ({
          attributes: {'http.response.status_code': status},
          failure: error ?? (status !== undefined && status >= 400 ? String(status) : undefined),
        }),
      );
      failpoint('after-request');
      if (sent.error === 'aborted') return undefined;
      const terms = {
        failures: claim.failures,
        schedule: convertRetryScheduleToWaits(waits),
        probe: claim.probe,
        uncounted: claim.attempt - 1 - claim.failures,
        random,
        nowMs: claimedAt,
        expiresAtMs,
      };
      let outcome = decideAttemptOutcome(sent, terms);
      if (outcome.kind === 'gone') {
        const isDisabled = await services.webhookFailures
          .disableWebhook(createSystemCall(workspace), webhook.id, 'gone', webhook.url)
          .then(
            () => true,
            () => false,
          );
        // If disabling fails, the next attempt tries it again, after the usual wait. The receiver must not be
        // called every few seconds.
        if (!isDisabled) outcome = decideAttemptOutcome({durationMs: sent.durationMs, status: 500}, terms);
      }
      return {
        claim,
        state: findAttemptState(outcome),
        delayMs: outcome.kind === 'retry' ? outcome.delayMs : 0,
        charge: findHealthEffect(outcome, sent),
        counted: outcome.kind === 'retry' && outcome.counted,
        attempt: createAttemptRecord(sent, claimedAt, claim.probe),
        exchange: () => createExchangeRecord(sent, {url: webhook.url, own: headers, headers: sentHeaders}),
      };
    },
  };
}

/** Renders the body of a delivery: the same bytes at each attempt. */
function renderBody({entry, body}: EventMessage, {payload, plain_text: addsPlain}: WebhookSettings): string {
  if (payload === 'thin') return removeResourceContent(body);
  return addsPlain && entry.type.startsWith('standup.') ? addPlainText(body) : body;
}

function findAttemptState(outcome: AttemptOutcome): Result['state'] {
  switch (outcome.kind) {
    case 'retry':
      return 'retrying';
    case 'gone':
      return outcome.delivered ? 'succeeded' : 'aborted';
    case 'succeeded':
    case 'exhausted':
    case 'expired':
    case 'aborted':
      return outcome.kind;
  }
}

/** Returns the effect of an attempt on the webhook's health: a refusal on purpose is healthy. */
function findHealthEffect(outcome: AttemptOutcome, {error}: SendResult): Charge {
  if (findAttemptState(outcome) === 'succeeded') return 'success';
  return outcome.kind === 'aborted' || outcome.kind === 'gone' || error === 'proxy' ? 'none' : 'failure';
}
