import {request} from './client.ts';
import type {Paths} from './schema.ts';

type Method = 'post' | 'put' | 'patch' | 'delete';
type ChangePath<M extends Method> = {
  [P in keyof Paths]: undefined extends Paths[P][M] ? never : P;
}[keyof Paths];
type OperationAt<M extends Method, P extends keyof Paths> = NonNullable<Paths[P][M]>;

interface Json<Content> {
  readonly content: {readonly 'application/json': Content};
}
type Answer<Operation> = Operation extends {readonly responses: infer Responses}
  ? Responses[keyof Responses & (200 | 201 | 202 | 204)] extends Json<infer Data>
    ? Data
    : true
  : never;

type Part<Operation, Name extends string> = Operation extends {
  readonly parameters: {readonly [N in Name]?: infer Parameters};
}
  ? [Parameters] extends [never]
    ? unknown
    : Parameters
  : unknown;

/** Parameters of the path and of the query, the body and options, all in one object. */
type Change<Operation> = Part<Operation, 'path'> &
  Part<Operation, 'query'> &
  (Operation extends {readonly requestBody: Json<infer Body>}
    ? {readonly body: Body}
    : Operation extends {readonly requestBody?: Json<infer Body>}
      ? {readonly body?: Body}
      : unknown) &
  (Operation extends {readonly parameters: {readonly header?: {'If-Match'?: string}}}
    ? {
        /** The service rejects the change if the object has another revision. */
        readonly revision?: number | undefined;
      }
    : unknown) & {
    /** Idempotency key: a repeated request with the same key changes nothing more. */
    readonly key?: string | undefined;
    /** The browser sends the request even if the page is closed at once. */
    readonly keepalive?: boolean;
    readonly signal?: AbortSignal;
  };

/** Sends a change to the API, and returns the data of the response; true if the response has none. */
export function send<M extends Method, P extends ChangePath<M>>(
  method: M,
  path: P,
  change: Change<OperationAt<M, P>>,
): Promise<Answer<OperationAt<M, P>>>;
export async function send(
  method: Method,
  path: string,
  {
    body,
    revision,
    key,
    keepalive,
    signal,
    ...parameters
  }: Change<unknown> & {
    readonly body?: unknown;
    readonly revision?: number | undefined;
  },
): Promise<unknown> {
  const header = {
    ...(revision !== undefined && {'If-Match': `"${revision}"`}),
    ...(key !== undefined && {'Idempotency-Key': key}),
  };
  return (await request(method, path, parameters, {header, body, keepalive, signal})) ?? true;
}
