import {createProblemExample} from '../examples/problems.js';
import {type ProblemCode, problemKinds} from '../http/problems.js';
import {isReadOnly, type Route} from '../http/route.js';
import {problemSchema} from '../http/problem-schema.js';
import type {Components, JsonObject} from './components.js';
import {type AnswerHeader, describeHeaders, quotaHeaders} from './headers.js';

/** Error codes that every operation may answer. */
const commonErrors: readonly ProblemCode[] = [
  'authentication_required',
  'invalid_token',
  'rate_limited',
  'not_acceptable',
  'invalid_parameter',
  'internal_error',
  'service_unavailable',
  'store_lost',
];
const writeErrors: readonly ProblemCode[] = [
  'invalid_idempotency_key',
  'idempotency_key_reused',
  'storage_full',
  'workspace_full',
  'workspace_read_only',
];
const bodyErrors: readonly ProblemCode[] = [
  'malformed_json',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
];

/** Lists every error code of an operation once. */
function listRefusalCodes(route: Route): ProblemCode[] {
  const codes = new Set<ProblemCode>([
    ...commonErrors,
    ...(route.scope === undefined ? [] : (['insufficient_scope'] as const)),
    ...(isReadOnly(route) ? [] : writeErrors),
    ...(route.body === undefined ? [] : bodyErrors),
    ...(route.deprecated === undefined ? [] : (['endpoint_sunset'] as const)),
    ...route.errors,
  ]);
  // The codes are sorted, so that operations with the same codes share one component.
  return (Object.keys(problemKinds) as ProblemCode[]).filter((code) => codes.has(code));
}

/** Creates one response for each error status. Operations with the same codes share a response. */
export function describeRefusals(route: Route, components: Components, publicUrl: string): JsonObject {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of listRefusalCodes(route)) {
    const {status} = problemKinds[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      components.refer('responses', codes.join('.'), () => describeRefusal(codes, components, publicUrl)),
    ]),
  );
}

function describeRefusal(
  codes: readonly ProblemCode[],
  components: Components,
  publicUrl: string,
): JsonObject {
  return {
    description: codes
      .map((code) => `\`${code}\`: ${problemKinds[code].title}. ${problemKinds[code].help}`)
      .join('\n\n'),
    headers: describeHeaders(listRefusalHeaders(codes), components),
    content: {
      'application/problem+json': {
        schema: components.schema(problemSchema),
        examples: Object.fromEntries(
          codes.map((code) => [
            code,
            components.refer('examples', code, () => ({
              summary: problemKinds[code].title,
              value: createProblemExample(code, publicUrl),
            })),
          ]),
        ),
      },
    },
  };
}

/** Headers of an error answer, besides the request id. */
const headersOfCode: Partial<Record<ProblemCode, AnswerHeader>> = {
  authentication_required: 'WWW-Authenticate',
  invalid_token: 'WWW-Authenticate',
  insufficient_scope: 'WWW-Authenticate',
  precondition_failed: 'ETag',
  unsupported_media_type: 'Accept',
  rate_limited: 'Retry-After',
  service_unavailable: 'Retry-After',
  store_lost: 'Retry-After',
  storage_full: 'Retry-After',
  workspace_full: 'Retry-After',
  workspace_read_only: 'Retry-After',
};

function listRefusalHeaders(codes: readonly ProblemCode[]): AnswerHeader[] {
  const own = codes.flatMap((code) => headersOfCode[code] ?? []);
  return [
    'X-Request-Id',
    ...(codes.some(isAnsweredAfterAuthentication) ? quotaHeaders : []),
    ...new Set(own),
  ];
}

/** True for errors that are answered only after the caller has been authenticated. */
function isAnsweredAfterAuthentication(code: ProblemCode): boolean {
  const {status} = problemKinds[code];
  return status !== 401 && status !== 410 && status < 500;
}
