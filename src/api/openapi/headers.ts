import {exampleIds} from '../examples/ids.js';
import type {Components, JsonObject} from './components.js';

interface HeaderText {
  readonly description: string;
  /** True if every response that documents this header has it. */
  readonly required?: true;
  readonly schema?: JsonObject;
  readonly example: string | number;
}

const answerHeaders = {
  'X-Request-Id': {
    description:
      'The id of this request in the logs of the service: yours, if you sent a valid one, otherwise a new one.',
    required: true,
    example: 'req_01m83t4cp97e3k5w7z0y2f4gtb',
  },
  ETag: {
    description:
      'The revision, for `If-Match` and `If-None-Match`. For a list, use it with `If-None-Match` only.',
    required: true,
    example: '"1"',
  },
  Location: {
    description: 'The path of the created resource.',
    required: true,
    example: '/v1/standups/std_01m83t4cm07n5a9d8k2jx6r3hq',
  },
  Link: {
    description: 'The next page, `rel="next"` (RFC 8288); absent on the last one.',
    example: '<http://localhost:3000/v1/standups?limit=25&cursor=kq8Zt1YbX0rPnVaL22>; rel="next"',
  },
  'Idempotent-Replayed': {
    description:
      '`true` if this is the stored response of an earlier request with the same key; otherwise absent.',
    example: 'true',
  },
  'WWW-Authenticate': {
    description: 'The required credentials, and the error of those sent (RFC 6750).',
    example: 'Bearer realm="team-standup-service", error="invalid_token"',
  },
  Deprecation: {
    description: 'Since when the operation is deprecated, as `@` and a Unix time (RFC 9745).',
    example: '@1795478400',
  },
  Sunset: {
    description: 'When the operation goes (RFC 8594).',
    example: 'Wed, 01 Mar 2028 00:00:00 GMT',
  },
  'Retry-After': {
    description: 'The number of seconds to wait before the next try.',
    required: true,
    schema: {type: 'integer', minimum: 0},
    example: 1,
  },
  'RateLimit-Policy': {
    description:
      'The limits of the caller: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers); absent if the operator has set none.',
    example: '"all";q=600;w=60, "writes";q=120;w=60',
  },
  RateLimit: {
    description:
      'What is left of each limit after this request: `r` requests. After `t` seconds more requests are available; `t` is 0 if the limit is unused.',
    example: '"all";r=599;t=1, "writes";r=119;t=1',
  },
  Accept: {
    description: 'The media types that this operation accepts.',
    required: true,
    example: 'application/json',
  },
} satisfies Record<string, HeaderText>;

export type AnswerHeader = keyof typeof answerHeaders;

/** Headers of every answer to an authenticated caller. */
export const quotaHeaders = ['RateLimit-Policy', 'RateLimit'] as const satisfies readonly AnswerHeader[];

/** Returns references to headers of an answer. Those in `lacking` are optional, so described in place. */
export function describeHeaders(
  names: readonly AnswerHeader[],
  components: Components,
  lacking: readonly AnswerHeader[] = [],
): JsonObject {
  const describe = (name: AnswerHeader) => {
    const {schema = {type: 'string'}, ...text}: HeaderText = answerHeaders[name];
    return {...text, schema};
  };
  return Object.fromEntries(
    names.map((name) => [
      name,
      lacking.includes(name)
        ? {...describe(name), required: false}
        : components.refer('headers', name, () => describe(name)),
    ]),
  );
}

const requestHeaders = {
  'Idempotency-Key': {
    description:
      'A key that makes repeats of this request safe: 1–255 visible ASCII characters, quoted or bare; a UUID is good.',
    // Two more characters than a key may have, for the quotes around it.
    schema: {type: 'string', minLength: 1, maxLength: 257},
    example: '0f6e8b1c-6d0a-4d3e-9a55-1f6f9a0e7c21',
  },
  'If-Match': {
    description:
      'The expected revision: the `ETag` of the resource, or `*`. The change is rejected at any other revision.',
    example: '"1"',
  },
  'If-None-Match': {description: 'The known `ETag`. 304 is returned if it has not changed.', example: '"1"'},
  'Last-Event-ID': {
    description:
      'The id of your last event. The stream continues after it, without a gap and without a repeat. An empty value is ignored.',
    example: exampleIds.event,
  },
} satisfies Record<string, HeaderText>;

export type RequestHeader = keyof typeof requestHeaders;

/** Returns a reference to a header that a request may have. */
export function describeHeaderParameter(name: RequestHeader, components: Components): JsonObject {
  const {schema = {type: 'string'}, ...text}: HeaderText = requestHeaders[name];
  return components.referParameter({name, in: 'header', ...text, schema});
}
