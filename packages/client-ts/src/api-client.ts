import createOpenApiClient, {type Client} from 'openapi-fetch';
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
    headers: {authorization: `Bearer ${token}`},
    ...(send !== undefined && {fetch: send}),
  });
}
