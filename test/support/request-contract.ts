import {findOperation, getStrictDocument} from './contract.js';
import type {Json} from './service.js';

/** A request that a program has sent, without the headers of its HTTP client. */
export interface SentRequest {
  readonly method: string;
  /** Path of the request with the query string. */
  readonly path: string;
  /** Headers of the request, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Returns the id of the documented operation for a request; undefined when there is none. */
export function findOperationId(method: string, path: string): string | undefined {
  return findOperation(getStrictDocument(), method, path.replace(/\?.*$/s, ''))?.operation?.operationId;
}

/**
 * Validates a request against its documented operation: query parameters, media type and body. Returns the
 * errors.
 */
export function findRequestViolations({method, path, headers, body}: SentRequest): string[] {
  const document = getStrictDocument();
  const [plain = '', query = ''] = path.split('?');
  const operation = findOperation(document, method, plain)?.operation;
  if (operation === undefined) return ['is no documented operation'];
  const parameters = (operation.parameters ?? []).map((one: Json) => document.resolve(one));
  const known = new Set(
    parameters.filter((one: Json) => one.in === 'query').map(({name}: Json) => name as string),
  );
  const violations = [...new URLSearchParams(query).keys()]
    .filter((name) => !known.has(name))
    .map((name) => `the parameter ${name} is not documented`);
  const wanted = document.resolve(operation.requestBody);
  if (body === undefined || body === '') {
    return wanted?.required === true ? [...violations, 'a body is required'] : violations;
  }
  if (wanted === undefined) return [...violations, 'a body is not documented'];
  const type = headers['content-type'] ?? '';
  const content = wanted.content[type];
  if (content === undefined) return [...violations, `the media type ${type} is not documented`];
  return [...violations, ...document.errors(content.schema, JSON.parse(body))];
}
