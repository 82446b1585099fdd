import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import querystring from 'node:querystring';
import {request} from 'undici';
import {findLimitViolations, findStackViolations} from './slack-limits.js';

/** One call that the bot made, of Slack's Web API or of a response_url (method `respond`). */
export interface SlackCall {
  readonly method: string;
  /** Path of the request. The path of a response_url ends with the person's id. */
  readonly path: string;
  readonly token: string;
  readonly body: Record<string, unknown>;
  /** Time of the request, in ms of a monotonic clock. */
  readonly at: number;
  /**
   * Slack's answer to the call, which the bot may not have received. Undefined before the answer, or if a
   * planned failure stopped the call on its way to Slack.
   */
  reply?: unknown;
}

/**
 * A planned failure of one call. `lost`: Slack executes the call, and the connection ends before the reply.
 * `mute`: Slack executes the call and never replies. `hang`: Slack neither executes the call nor replies.
 * `slow`: Slack executes the call only after `until`. `late`: Slack executes the call at once, and replies
 * only after `until`.
 */
export type SlackFailure =
  | {readonly kind: 'limited'; readonly seconds: number}
  | {readonly kind: 'status'; readonly status: number}
  /** Slack refuses the call with this error code, after `until`, unless `unless` returns true for its body. */
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly unless?: (body: Record<string, unknown>) => boolean;
      readonly until?: Promise<void>;
    }
  /** A reply with data that the emulated Slack does not support, such as guests. */
  | {readonly kind: 'replied'; readonly reply: Record<string, unknown>}
  | {readonly kind: 'lost'}
  | {readonly kind: 'mute'}
  | {readonly kind: 'hang'}
  | {readonly kind: 'slow' | 'late'; readonly until: Promise<void>};

export interface FailureServer {
  readonly url: string;
  readonly calls: SlackCall[];
  /**
   * Descriptions of payloads from the bot that exceeded Slack's documented limits. A test fails if there is
   * one at its end.
   */
  readonly limitViolations: string[];
  /**
   * Plans failures for the next calls of a method, one failure per call. `failAlways` applies to all calls
   * from now on.
   */
  fail(method: string, ...failures: SlackFailure[]): void;
  failAlways(method: string, failure: SlackFailure): void;
  /**
   * From now on limits a method to this number of calls in any minute of a clock (ms); further calls get 429.
   */
  enforce(method: string, perMinute: number, now: () => number): void;
  of(method: string): SlackCall[];
  clear(): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy between the bot and the emulated Slack. It checks payloads, records calls, and makes planned
 * calls fail.
 */
export async function startFailureServer(target: () => string): Promise<FailureServer> {
  const calls: SlackCall[] = [];
  const limitViolations: string[] = [];
  const planned = new Map<string, SlackFailure[]>();
  const lasting = new Map<string, SlackFailure>();
  const enforced = new Map<string, {perMinute: number; now: () => number; taken: number[]}>();

  /** Returns a failure with status 429 for a call above the method's limit. */
  function findRateLimitFailure(method: string): SlackFailure | undefined {
    const limit = enforced.get(method);
    if (limit === undefined) return undefined;
    const now = limit.now();
    limit.taken = limit.taken.filter((at) => at > now - 60_000);
    const [first = now] = limit.taken;
    if (limit.taken.length < limit.perMinute) limit.taken.push(now);
    else return {kind: 'limited', seconds: Math.ceil((first + 60_000 - now) / 1_000)};
    return undefined;
  }

  /** Takes the next planned failure of a call. A reply about a person is for calls about that person alone. */
  function takePlanned(method: string, {user}: Record<string, unknown>): SlackFailure | undefined {
    const all = planned.get(method) ?? [];
    const at = all.findIndex((failure) => {
      const about = failure.kind === 'replied' ? failure.reply['user'] : undefined;
      const {id = user} = (about ?? {}) as {id?: unknown};
      return id === user;
    });
    return at < 0 ? undefined : all.splice(at, 1)[0];
  }

  async function handleCall(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await readBody(request);
    const path = request.url ?? '';
    const method = path.startsWith('/api/') ? path.slice(5) : 'respond';
    const body = method === 'respond' ? (JSON.parse(raw) as Record<string, unknown>) : readForm(raw);
    const token = request.headers.authorization ?? '';
    const call: SlackCall = {method, path, token, body, at: performance.now()};
    calls.push(call);
    for (const violation of findLimitViolations(body)) limitViolations.push(`${method}: ${violation}`);
    if (method.startsWith('views.') && findStackViolations(calls).includes(calls.length - 1))
      limitViolations.push(`${method}: a fourth modal`);
    const failure = findRateLimitFailure(method) ?? takePlanned(method, body) ?? lasting.get(method);
    switch (failure?.kind) {
      case 'limited':
        return void response.writeHead(429, {'retry-after': String(failure.seconds)}).end();
      case 'status':
        return void response.writeHead(failure.status).end('out of order');
      case 'refused':
        await failure.until;
        if (failure.unless?.(body) === true) break;
        return answer(response, {ok: false, error: failure.code});
      case 'replied':
        return answer(response, failure.reply);
      case 'hang':
        return;
      case 'mute':
        call.reply = await forward(path, request, raw);
        return;
      case 'lost':
        call.reply = await forward(path, request, raw);
        return void request.socket.destroy();
      case 'slow':
        await failure.until;
        break;
      case 'late':
      case undefined:
    }
    if (method === 'respond') return void response.writeHead(200).end('ok');
    call.reply = await forward(path, request, raw);
    if (failure?.kind === 'late') await failure.until;
    return answer(response, call.reply);
  }

  async function passToSlack(path: string, {headers}: IncomingMessage, body: string): Promise<unknown> {
    const reply = await request(`${target()}${path}`, {
      method: 'POST',
      headers: {
        authorization: headers.authorization ?? '',
        'content-type': headers['content-type'] ?? 'application/x-www-form-urlencoded',
      },
      body,
    });
    return reply.body.json();
  }

  async function forward(path: string, request: IncomingMessage, raw: string): Promise<unknown> {
    const reply = (await passToSlack(path, request, raw)) as {error?: string};
    if (reply.error === 'expired_trigger_id') {
      // Slack accepts a trigger for only 3 s, which a busy machine may exceed. Repeat the call with a new
      // trigger. Tests of expired triggers plan the refusal instead.
      const fresh = (await passToSlack('/api/views.generateTriggerId', request, '')) as {trigger_id: string};
      const form = new URLSearchParams(raw);
      form.set('trigger_id', fresh.trigger_id);
      return passToSlack(path, request, form.toString());
    }
    if (path !== '/api/users.info' || reply.error !== 'user_not_found') return reply;
    // Tests invent user ids that the emulator does not know. Answer as for users of the emulated workspace.
    return {ok: true, user: {id: readForm(raw)['user'], team_id: 'T000000001'}};
  }

  const server = createServer(
    (request, response) => void handleCall(request, response).catch(() => request.socket.destroy()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    limitViolations,
    fail: (method, ...failures) => void planned.set(method, [...(planned.get(method) ?? []), ...failures]),
    failAlways: (method, failure) => void lasting.set(method, failure),
    enforce: (method, perMinute, now) => void enforced.set(method, {perMinute, now, taken: []}),
    of: (method) => calls.filter((call) => call.method === method),
    clear() {
      calls.length = 0;
      limitViolations.length = 0;
      planned.clear();
      lasting.clear();
      enforced.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, body: unknown): void {
  response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Parses a form of Slack's SDK, whose structured fields are JSON. */
function readForm(raw: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(querystring.parse(raw)).map(([name, value]) => {
      const text = String(value);
      return [name, /^[[{]/.test(text) && name !== 'text' ? (JSON.parse(text) as unknown) : text];
    }),
  );
}
