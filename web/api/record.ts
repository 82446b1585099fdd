/** One request that this page has sent to the API, for the panel that lists all of them. */
export interface RecordedRequest {
  readonly id: number;
  readonly method: string;
  /** The path with the query string. */
  readonly path: string;
  readonly body: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** HTTP status of the response; 0 if there was no response. */
  readonly status: number;
  readonly ms: number;
  readonly requestId: string | undefined;
}

const most = 100;
let recorded: readonly RecordedRequest[] = [];
let count = 0;
const listeners = new Set<() => void>();

export function recordRequest({body, ...request}: Omit<RecordedRequest, 'id'>): void {
  count += 1;
  recorded = [{...request, body: hideSecrets(body), id: count}, ...recorded].slice(0, most);
  for (const listener of listeners) listener();
}

/** Hides credentials in a request body: the values of a webhook's custom headers, and the link of an invite. */
function hideSecrets(body: string | undefined): string | undefined {
  if (body === undefined || !/"(?:headers|link)"/.test(body)) return body;
  return JSON.stringify(JSON.parse(body), (name, value: unknown): unknown => {
    if (name === 'link') return '…';
    if (name !== 'headers' || value === null || typeof value !== 'object') return value;
    const headers = Object.entries(value).map(([header, given]: [string, unknown]) => [
      header,
      given === null ? null : '…',
    ]);
    return Object.fromEntries(headers) as unknown;
  });
}

/** The API requests that this page has sent, newest first. */
export function listRecordedRequests(): readonly RecordedRequest[] {
  return recorded;
}

export function onRecorded(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function clearRecordedRequests(): void {
  recorded = [];
  for (const listener of listeners) listener();
}
