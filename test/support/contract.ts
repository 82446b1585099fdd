import {existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync} from 'node:fs';
import {createOpenApi} from '../../src/api/openapi/openapi.js';
import {mostProblemBytes} from '../../src/api/http/problem-schema.js';
import {problemKinds} from '../../src/api/http/problems.js';
import type {Route} from '../../src/api/http/route.js';
import {createRoutes} from '../../src/api/routes.js';
import type {Services} from '../../src/service/services.js';
import {type ApiDocument, readDocument} from './api-document.js';
import type {Json} from './service.js';
import {forbidUnknownProperties} from './strict-document.js';

/** One request to the service and its answer, from any client. */
export interface ContractExchange {
  /** Address of the service; needed only if a test has changed the service's table of routes. */
  readonly service?: string;
  readonly method: string;
  /** The path as sent, with the query string. */
  readonly path: string;
  readonly status: number;
  readonly headers: {get(name: string): string | null | undefined};
  readonly text: string;
}

const routes = createRoutes({} as Services);

interface PublishedContract {
  /** The OpenAPI document as the service publishes it, generated from the table of routes. */
  readonly document: Json;
  /** The document in its strict form for tests (strict-document.ts). */
  readonly closed: Json;
}

/**
 * Documents that all test files of a Jest worker share, because each file would need up to a second to
 * compile their schemas again.
 */
const kept = globalThis as {standupPublished?: PublishedContract; standupDocument?: ApiDocument};

/** Returns the OpenAPI document as the service publishes it, generated from the table of routes. */
export function getPublishedDocument(): Json {
  return (kept.standupPublished ??= createPublishedContract()).document;
}

/** Returns the OpenAPI document in its strict form for tests. */
export function getStrictDocument(): ApiDocument {
  kept.standupPublished ??= createPublishedContract();
  return (kept.standupDocument ??= readDocument(kept.standupPublished.closed));
}

/**
 * Generates the document and its strict form. That takes longer than most tests, so the first test file
 * stores the result for the others.
 */
function createPublishedContract(): PublishedContract {
  const file = process.env['TEST_API_DOCUMENT'];
  if (file !== undefined && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const document = createDocumentForRoutes(routes);
  const all = {document, closed: forbidUnknownProperties(document)};
  if (file === undefined) return all;
  const text = JSON.stringify(all);
  // The file is written atomically, since another worker may read it.
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
  return JSON.parse(text);
}

const changed = new Map<string, ApiDocument>();

/**
 * Checks later answers of the service at this address against the document that its changed table of routes
 * generates. Call the returned function when the service ends, because another service may then get the same
 * port.
 */
export function checkAgainstRoutes(
  service: string,
  change: (table: readonly Route[]) => readonly Route[],
): () => void {
  const table = change(routes);
  const paths = new Set(
    [...routes, ...table]
      .filter((route) => !routes.includes(route) || !table.includes(route))
      .map(({path}) => path),
  );
  const differing = table.filter(({path}) => paths.has(path));
  changed.set(service, readDocument(forbidUnknownProperties(createDocumentForRoutes(differing))));
  return () => void changed.delete(service);
}

function createDocumentForRoutes(table: readonly Route[]): Json {
  return createOpenApi(table, {publicUrl: 'http://localhost', version: 'test'});
}

/**
 * Error codes that the HTTP parser and the router may return at any address. The document lists these errors
 * once for all operations.
 */
const transportCodes = [
  'bad_request',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'method_not_allowed',
  'webhook_loop',
];

/**
 * Checks one exchange against its operation in the OpenAPI document: status, media type, headers and body.
 * Fixed rules apply to requests without an operation: unknown addresses, other methods, `OPTIONS`, and errors
 * of the parser. Throws an error that lists all violations.
 */
export function checkExchange(exchange: ContractExchange): void {
  const path = exchange.path.replace(/\?.*$/s, '');
  const own = changed.get(exchange.service ?? '');
  const document = own !== undefined && findOperation(own, exchange.method, path) ? own : getStrictDocument();
  const found = findOperation(document, exchange.method, path);
  const isProblem = parseMediaType(exchange) === 'application/problem+json';
  if (found === undefined && !path.startsWith('/v1/') && !isProblem) return;

  const violations = findCommonViolations(exchange);
  if (isProblem || exchange.status >= 400) violations.push(...findProblemViolations(exchange, path));
  if (!isTransportRefusal(exchange)) {
    if (found?.operation !== undefined)
      violations.push(...findOperationViolations(document, exchange, found.operation));
    else if (found !== undefined) violations.push(...findOtherMethodViolations(exchange, found.allow));
    else if (path.startsWith('/v1/') && exchange.status !== 404)
      violations.push('the address is not documented, and is no 404');
  }
  const name = found?.operation?.operationId ?? (found === undefined ? 'no address' : 'no operation');
  logExchange(`${name} ${exchange.status}`);
  if (violations.length === 0) return;
  throw new Error(
    `Not as documented: ${exchange.method} ${exchange.path} (${name}) answered ${exchange.status}\n` +
      `${violations.map((violation) => `  - ${violation}`).join('\n')}\n  ${exchange.text.slice(0, 600)}`,
  );
}

/**
 * Checks an event in its full form, from the feed or from a webhook, against the document's section for the
 * event type. Returns violations.
 */
export function findEventViolations(event: Json): string[] {
  return findEventFormViolations(event, 'full');
}

function findEventFormViolations(event: Json, form: 'full' | 'thin'): string[] {
  const body = getStrictDocument().json.webhooks[event?.type]?.post.requestBody.content['application/json'];
  if (body === undefined) return [`the event type ${event?.type} is not documented`];
  const [full, thin] = body.schema.anyOf;
  return getStrictDocument().errors(form === 'full' ? full : thin, event);
}

/** Checks the body of a request to a webhook receiver, which counts as one exchange. Returns violations. */
export function findWebhookViolations(body: string): string[] {
  const event = parseJson(body);
  logExchange(`webhook ${event?.type}`);
  // Nothing in the body tells whether it is thin or full. Count it as thin if its resource has only the
  // properties `id` and `object`.
  const isThin = event?.data !== null && Object.keys(event?.data ?? {}).join() === 'id,object';
  return findEventFormViolations(event, isThin ? 'thin' : 'full').map(
    (violation) => `webhook ${event?.type}: ${violation}`,
  );
}

interface MatchedOperation {
  /** Undefined when the document has the address but not the method. */
  readonly operation: Json | undefined;
  readonly allow: string;
}

export function findOperation(
  document: ApiDocument,
  method: string,
  path: string,
): MatchedOperation | undefined {
  const parts = path.replace(/(.)\/$/, '$1').split('/');
  const wanted = listPathTemplates(document).find(
    (one) =>
      one.length === parts.length &&
      one.every((part, i) => (part.startsWith('{') ? parts[i] !== '' : part === parts[i])),
  );
  if (wanted === undefined) return undefined;
  const item = document.json.paths[wanted.join('/')];
  const known = method === 'HEAD' ? 'get' : method.toLowerCase();
  return {operation: item[known], allow: listAllowedMethods(item).join(', ')};
}

const templates = new WeakMap<ApiDocument, readonly string[][]>();

/** The segments of all addresses in the document; addresses with fewer parameters come first. */
function listPathTemplates(document: ApiDocument): readonly string[][] {
  const known = templates.get(document);
  if (known !== undefined) return known;
  const paths = Object.keys(document.json.paths);
  const sorted = paths.toSorted((a, b) => a.split('{').length - b.split('{').length);
  const parts = sorted.map((path) => path.split('/'));
  templates.set(document, parts);
  return parts;
}

/** Lists the methods that the header `Allow` must name for an address of the document. */
export function listAllowedMethods(item: Json): string[] {
  const methods = Object.keys(item)
    .filter((name) => ['get', 'put', 'post', 'patch', 'delete'].includes(name))
    .map((name) => name.toUpperCase());
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted();
}

/** Checks the headers that every answer of the API has. */
function findCommonViolations({headers}: ContractExchange): string[] {
  const violations: string[] = [];
  if (!/^[A-Za-z0-9._-]{8,128}$/.test(headers.get('x-request-id') ?? ''))
    violations.push(`X-Request-Id is ${headers.get('x-request-id')}`);
  if (headers.get('x-content-type-options') !== 'nosniff')
    violations.push('X-Content-Type-Options is missing');
  const cached = headers.get('cache-control');
  const isStream = headers.get('content-type') === 'text/event-stream';
  const wanted =
    cached === (isStream ? 'no-store, no-transform' : 'no-store') ||
    (cached === 'private, no-cache' && Boolean(headers.get('etag')));
  if (!wanted) violations.push(`Cache-Control is ${cached}`);
  return violations;
}

/** Headers that error responses always have, by status (RFC 6750, RFC 9110). */
const headersOfStatus: Readonly<Record<number, string>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  415: 'Accept',
  429: 'Retry-After',
  503: 'Retry-After',
  507: 'Retry-After',
};

const problemSchema = {$ref: '#/components/schemas/Problem'};

function findProblemViolations({method, status, headers, text}: ContractExchange, path: string): string[] {
  const violations: string[] = [];
  if (headers.get('content-type') !== 'application/problem+json')
    violations.push(`a refusal of the type ${headers.get('content-type')}`);
  const header = headersOfStatus[status];
  if (header !== undefined && !headers.get(header)) violations.push(`${header} is missing`);
  if (method === 'HEAD') return violations;
  const problem = parseJson(text);
  violations.push(...getStrictDocument().errors(problemSchema, problem));
  if (problem === undefined) return violations;
  const kind = Object.entries(problemKinds).find(([code]) => code === problem.code)?.[1];
  if (kind === undefined) violations.push(`the code ${problem.code} is not known`);
  const {type, title, request_id, instance} = problem;
  if (kind !== undefined && (kind.status !== status || problem.status !== status || kind.title !== title))
    violations.push(
      `${problem.code} is ${kind.status} "${kind.title}", and was sent as ${problem.status} "${title}"`,
    );
  if (request_id !== headers.get('x-request-id')) violations.push('request_id is not X-Request-Id');
  if (!String(type).endsWith(`/problems/${problem.code}`)) violations.push(`type is ${type}`);
  if (Buffer.byteLength(text) > mostProblemBytes)
    violations.push(`the refusal has ${text.length} characters`);
  if (instance !== path.slice(0, 1_000) && !transportCodes.includes(problem.code))
    violations.push(`instance is ${instance}`);
  return violations;
}

function isTransportRefusal({method, status, text}: ContractExchange): boolean {
  if (method === 'HEAD') return [405, 408, 414, 431].includes(status);
  return status >= 400 && transportCodes.includes(parseJson(text)?.code) && status !== 405;
}

/** Checks an answer to a method that the documented address does not have. */
function findOtherMethodViolations(
  {method, status, headers, text}: ContractExchange,
  allow: string,
): string[] {
  const violations: string[] = [];
  const wanted = method === 'OPTIONS' ? 204 : 405;
  if (status !== wanted) violations.push(`the method is not documented here, and is no ${wanted}`);
  if (headers.get('allow') !== allow)
    violations.push(`Allow is ${headers.get('allow')} and should be ${allow}`);
  if (status === 204 && text !== '') violations.push('204 has a body');
  return violations;
}

/**
 * Response headers that clients may need. If a response has one of these headers, the document must mention
 * it.
 */
const clientHeaders = [
  'Accept',
  'Allow',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
];

function findOperationViolations(
  document: ApiDocument,
  exchange: ContractExchange,
  operation: Json,
): string[] {
  const {status, headers, text} = exchange;
  const response = document.resolve(operation.responses[status]);
  if (response === undefined)
    return [`${status} is not documented; what is: ${Object.keys(operation.responses).join(', ')}`];
  const violations: string[] = [];
  const documented = response.headers ?? {};
  for (const [name, header] of Object.entries<Json>(documented)) {
    if (document.resolve(header).required === true && !headers.get(name))
      violations.push(`the header ${name} is missing`);
  }
  for (const name of clientHeaders) {
    // The document lists these headers once, at the operation.
    if (operation.deprecated === true && ['Deprecation', 'Sunset', 'Link'].includes(name)) continue;
    if (headers.get(name) && documented[name] === undefined)
      violations.push(`the header ${name} is not documented`);
  }
  if (response.content === undefined)
    return text === '' ? violations : [...violations, 'a body is not documented'];

  const type = parseMediaType(exchange);
  if (response.content[type] === undefined)
    return [
      ...violations,
      `the media type ${type} is not documented; what is: ${Object.keys(response.content)}`,
    ];
  if (exchange.method === 'HEAD' || !/[/+]json$/.test(type)) return violations;
  const body = parseJson(text);
  violations.push(...document.errors(response.content[type].schema, body));
  if (status >= 400 && response.content[type].examples?.[body?.code] === undefined)
    violations.push(`the code ${body?.code} is not documented for this operation`);
  if (body?.object === 'list') violations.push(...findListBodyViolations(body, headers));
  return violations;
}

function findListBodyViolations(
  {data, has_more: more}: Json,
  headers: ContractExchange['headers'],
): string[] {
  const violations = data
    .filter((item: Json) => item?.object === 'event')
    .flatMap((event: Json) => findEventViolations(event));
  const link = headers.get('link') ?? '';
  if (/^<[^>]+>; rel="next"/.test(link) !== more)
    violations.push(`has_more is ${more} and Link is "${link}"`);
  return violations;
}

function parseMediaType({headers}: ContractExchange): string {
  const type = headers.get('content-type') ?? '';
  // JSON has no parameters; a text type may name its charset.
  return type.startsWith('text/') ? (type.split(';')[0] ?? '') : type;
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Appends a line for each checked exchange to a file. At the end of the run, teardown-redis.mjs counts the
 * lines. Workers may append at the same time, since short lines do not mix.
 */
function logExchange(line: string): void {
  const file = process.env['TEST_CONTRACT_TALLY'];
  if (file === undefined) return;
  tallied ??= openSync(file, 'a');
  writeSync(tallied, `${line}\n`);
}

let tallied: number | undefined;
