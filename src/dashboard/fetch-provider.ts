/** The error for an identity provider that does not answer, or answers wrongly. */
export class ProviderAway extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
    this.name = 'ProviderAway';
  }
}

interface ProviderRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: RequestInit['body'] | undefined;
  readonly signal?: AbortSignal | undefined;
}

const largestBytes = 512 * 1024;

/** Sends a request to an identity provider. It follows no redirects, and limits the size of the answer. */
export async function fetchProvider(
  url: string,
  {body, signal, ...asked}: ProviderRequest,
): Promise<Response> {
  const init = {...asked, redirect: 'manual', ...(body && {body}), ...(signal && {signal})} as const;
  const {status, headers, read} = await requestProvider(url, init).catch((error: unknown) => {
    throw error instanceof ProviderAway ? error : new ProviderAway(findErrorNameOrCode(error));
  });
  if (status >= 500) throw new ProviderAway(`answered ${status}`);
  const type = headers.get('content-type') ?? '';
  // Slack reports errors with status 200.
  const refused = status === 200 && /^\s*\{\s*"ok"\s*:\s*false\b/.test(read);
  return new Response(read, {status: refused ? 400 : status, headers: {'content-type': type}});
}

async function requestProvider(url: string, init: RequestInit) {
  const response = await fetch(url, init);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > largestBytes) throw new ProviderAway('answered too much');
    chunks.push(chunk);
  }
  return {status: response.status, headers: response.headers, read: Buffer.concat(chunks).toString('utf8')};
}

/** Returns the name or code of an error, but not its message, which may contain addresses. */
function findErrorNameOrCode(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return 'unknown';
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}
