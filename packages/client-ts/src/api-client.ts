import createOpenApiClient, {type Client, defaultPathSerializer} from 'openapi-fetch';
import type {Paths} from './schema.js';

export type ApiClient = Client<Paths>;

export interface ApiClientOptions {
  /** The address of the service, without `/v1`. */
  readonly url: string;
  /** An access token. */
  readonly token: string;
  /** Default: the runtime's own. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * A client of the API with the types of the document for paths, parameters, bodies and answers. A call never
 * throws for a refusal: it returns `data` or `error` (a problem with its `code`), and `response` for headers.
 */
export function createApiClient({url, token, fetch: send}: ApiClientOptions): ApiClient {
  return createOpenApiClient<Paths>({
    baseUrl: url,
    querySerializer: {array: {style: 'form', explode: false}},
    pathSerializer: serializePath,
    headers: {authorization: `Bearer ${token}`},
    ...(send !== undefined && {fetch: send}),
  });
}

/**
 * Fills a path. `..` as a value would make another operation of it, because a URL drops its segments: the
 * path `/v1/teams/../members/mem_1` removes a person from the workspace.
 */
function serializePath(path: string, values: Record<string, unknown>): string {
  for (const [name, value] of Object.entries(values))
    if (['', '.', '..'].includes(String(value)))
      throw new TypeError(`The parameter \`${name}\` of a path cannot be ${JSON.stringify(value)}.`);
  return defaultPathSerializer(path, values);
}
