import {parseWire} from '../domain/core/resource.js';
import {AppError} from '../domain/core/errors.js';
import {limits} from '../domain/core/limits.js';
import type {Webhook} from '../domain/webhooks/webhook.js';
import type {Session} from './session.js';
import {CommandError} from './usage.js';
import {type RequestReport, type WebhookListener, startListener} from './webhook-listener.js';
import type {Id} from '../domain/core/ids.js';

export interface ListenRequest {
  /** The local port; 0 for any free port. */
  readonly port: number;
  readonly events: readonly string[];
  readonly forward: URL | undefined;
  readonly json: boolean;
}

/** The description of a listener's webhook. If its listener is gone, another listener removes the webhook. */
const mark = 'standup-admin webhook listen';
/** The time (ms) to wait for the test delivery. The service looks for work about every second. */
const reachedWithinMs = 8_000;

/**
 * Creates a webhook and listens for its deliveries until the process is asked to stop, then deletes the
 * webhook. Errors: the errors of `createWebhook`, and a `CommandError` if the port is in use.
 */
export async function listenForDeliveries(
  session: Session,
  workspace: Id<'workspace'>,
  request: ListenRequest,
): Promise<void> {
  const {services, warn} = session;
  // From now on, Ctrl-C does not end the process at once, so that the webhook can be deleted.
  const stopped = session.untilStopped();
  const call = () => session.call({id: workspace});
  await removeAbandonedWebhooks(session, call);

  let ownTest: Promise<string | undefined> = Promise.resolve(undefined);
  let secret: string | undefined;
  let reached = false;
  const show = createOutput(session, request.json);
  const listener = await startListener({
    port: request.port,
    forward: request.forward,
    findSignatureError: (signed) =>
      secret === undefined ? 'there is no secret yet' : session.findSignatureError(signed, secret),
    isOwn: async ({type, id}) => type === 'webhook.test' && id === (await ownTest),
    onOwn() {
      if (!reached) show.reached();
      reached = true;
    },
    onArrival: (report) => show.arrival(report),
  });
  try {
    const webhook = await makeWebhook(session, call(), listener, request.events);
    try {
      secret = webhook.secret;
      listener.identify(webhook.id);
      show.listening({
        port: listener.port,
        webhook: webhook.id,
        secret: webhook.secret,
        events: request.events,
      });
      ownTest = services.deliveries
        .testWebhook(call(), webhook.id)
        .then(({body}) => parseWire(body).event_id);
      const doubt = setTimeout(() => {
        if (!reached) warn(`${unreached}\n`);
      }, reachedWithinMs);
      await ownTest;
      await stopped;
      clearTimeout(doubt);
    } finally {
      await removeWebhook(session, call(), webhook.id);
    }
  } finally {
    await listener.close();
  }
}

const unreached =
  'Nothing has come from the service yet. Does it run on this machine, and are 127.0.0.0/8 open to its webhooks (WEBHOOK_ALLOW_NETWORKS)?';

type SessionCall = ReturnType<Session['call']>;

async function makeWebhook(
  {services}: Session,
  call: SessionCall,
  {url}: WebhookListener,
  events: readonly string[],
): Promise<Webhook & {readonly secret: string}> {
  try {
    const {body} = await services.webhooks.createWebhook(call, {url, events, description: mark});
    return parseWire(body);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'webhook_url_forbidden') throw error;
    throw new CommandError(
      `Webhooks may not go to ${url} here: set WEBHOOK_ALLOW_NETWORKS=127.0.0.0/8 for the service and for this command.`,
    );
  }
}

async function removeWebhook({services, warn}: Session, call: SessionCall, id: string): Promise<void> {
  await services.webhooks.deleteWebhook(call, id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return;
    warn(`${id} could not be removed; the next \`webhook listen\` does it.\n`);
    throw error;
  });
}

/** Removes the webhooks of listeners that were killed. Listeners that still answer keep their webhooks. */
async function removeAbandonedWebhooks(session: Session, call: () => SessionCall): Promise<void> {
  const {rows} = await session.services.webhooks.listWebhooks(call(), {limit: limits.webhooksPerWorkspace});
  for (const {id, url, description} of rows.map((json) => parseWire(json))) {
    if (description !== mark || new URL(url).hostname !== '127.0.0.1') continue;
    if ((await findListenerWebhook(url)) === id) continue;
    await removeWebhook(session, call(), id);
    session.warn(`Removed ${id}, which an earlier listener had left behind.\n`);
  }
}

/** Asks the listener at a URL for its webhook; undefined when no listener answers. */
async function findListenerWebhook(url: string): Promise<string | undefined> {
  const asked = {redirect: 'manual', signal: AbortSignal.timeout(1_000)} as const;
  const response = await fetch(url, asked).catch(() => undefined);
  await response?.body?.cancel();
  return response?.headers.get('standup-listen') ?? undefined;
}

/** Prints deliveries, as lines of text or as one JSON object per line. Warnings go to stderr. */
function createOutput({print, warn}: Session, json: boolean) {
  const line = (value: object): void => print(`${escapeInvisible(JSON.stringify(value))}\n`);
  return {
    listening(about: {port: number; webhook: string; secret: string; events: readonly string[]}): void {
      if (json) return line({kind: 'listening', ...about});
      const {port, webhook, secret, events} = about;
      print(`Listening on http://127.0.0.1:${port}/ for ${events.join(' ')} as ${webhook}.\n`);
      print(`Secret: ${secret}\nCtrl-C ends it and removes the webhook.\n`);
    },
    reached(): void {
      if (json) line({kind: 'reached'});
      else print('The service reaches this listener.\n');
    },
    arrival(report: RequestReport): void {
      if (json) line({kind: 'event', ...report});
      else print(`${describeRequest(report).replace(unseen, '')}\n`);
      if (report.forwarded === 410) warn('After 410 the service disables a webhook: start `listen` again.\n');
    },
  };
}

/** Characters that are invisible, such as those that move a terminal's cursor. */
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Escapes invisible characters in JSON, where they only occur inside strings. */
function escapeInvisible(json: string): string {
  const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(unseen, (found) => found.split('').map(escape).join(''));
}

function describeRequest({at, type, id, attempt, fault: error, forwarded, reason}: RequestReport): string {
  const verdict = error === null ? 'verified' : `NOT VERIFIED: ${error}`;
  const passed = forwarded === null ? (reason ?? '') : `forwarded: ${forwarded}`;
  const cells = [at.slice(11), type.padEnd(20), id, `attempt ${attempt ?? '?'}`, verdict, passed];
  return cells.join('  ').trimEnd();
}
