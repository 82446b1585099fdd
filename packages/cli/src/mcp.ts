import {CommandError} from './errors.js';
import type {Session} from './session.js';

interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: {
    readonly name?: unknown;
    readonly uri?: unknown;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  readonly result?: {readonly protocolVersion?: unknown};
}

/**
 * Passes messages of the Model Context Protocol between stdin and the service: each line is one request. The
 * service keeps no session, so the relay keeps only the version that a client of 2025 has agreed on.
 */
export async function relayMcp({outside, url, token}: Session): Promise<void> {
  let agreed: string | undefined;
  const pending = new Set<Promise<void>>();
  for await (const text of outside.readLines()) {
    if (text.trim() === '') continue;
    const work = relay(text).finally(() => pending.delete(work));
    pending.add(work);
  }
  await Promise.all(pending);

  async function relay(text: string): Promise<void> {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      return answerError(null, -32_700, 'The line is not JSON.');
    }
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
      return answerError(null, -32_600, 'The line is not one message.');
    const message: Message = parsed;
    const id = message.id ?? null;
    try {
      const response = await outside.send(
        new Request(`${url}/mcp`, {
          method: 'POST',
          redirect: 'manual',
          headers: {...describe(message), authorization: `Bearer ${token}`},
          body: text,
        }),
      );
      const body = await response.text();
      if (response.status === 401)
        return answerError(id, -32_001, 'The sign-in has ended: run `standup login`.');
      const answers = readAnswers(body, response.headers.get('content-type') ?? '');
      const isRefusal = !response.ok && answers.every(({jsonrpc}) => jsonrpc === undefined);
      if (isRefusal)
        return answerError(
          id,
          -32_000,
          `The service refused the message (${response.status}): ${body.slice(0, 500)}`,
        );
      for (const answer of answers) {
        const version = (answer as Message).result?.protocolVersion;
        if (message.method === 'initialize' && typeof version === 'string') agreed = version;
        outside.print(`${JSON.stringify(answer)}\n`);
      }
    } catch (error) {
      const said = error instanceof CommandError ? error.message : `${url} does not answer.`;
      answerError(id, -32_000, `${said} If the address has changed, run \`standup login\`.`);
    }
  }

  function answerError(id: Message['id'], code: number, message: string): void {
    if (id === undefined || (id === null && code > -32_600)) return;
    outside.print(`${JSON.stringify({jsonrpc: '2.0', id, error: {code, message}})}\n`);
  }

  /** The headers that repeat the body, as the transport of MCP requires. */
  function describe({method, params}: Message): Record<string, string> {
    const own = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
    const version = typeof own === 'string' ? own : agreed;
    const name = params?.name ?? params?.uri;
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(version !== undefined && {'mcp-protocol-version': version}),
      ...(typeof method === 'string' && {'mcp-method': encode(method)}),
      ...(typeof name === 'string' && {'mcp-name': encode(name)}),
    };
  }
}

/** Writes a value for a header: other than visible ASCII is in Base64. */
function encode(value: string): string {
  const isPlain =
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/** Reads the messages of an answer: one of JSON, or those of an event stream. */
function readAnswers(body: string, type: string): readonly Readonly<Record<string, unknown>>[] {
  if (body.trim() === '') return [];
  if (!type.startsWith('text/event-stream')) return [JSON.parse(body) as Readonly<Record<string, unknown>>];
  return body
    .split(/\r?\n\r?\n/)
    .map((event) =>
      event
        .split(/\r?\n/)
        .filter((one) => one.startsWith('data:'))
        .map((one) => one.slice('data:'.length).trimStart())
        .join('\n'),
    )
    .filter((data) => data !== '')
    .map((data) => JSON.parse(data) as Readonly<Record<string, unknown>>);
}
