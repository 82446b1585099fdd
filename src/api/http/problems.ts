import {limits} from '../../domain/core/limits.js';
import type {AppError, ErrorCode, InputError} from '../../domain/core/errors.js';

/** The codes of errors in HTTP itself, which are refused before any operation or service is involved. */
export type TransportCode =
  | 'bad_request'
  | 'request_timeout'
  | 'uri_too_long'
  | 'headers_too_large'
  | 'method_not_allowed'
  | 'endpoint_sunset'
  | 'webhook_loop';

export type ProblemCode = ErrorCode | TransportCode;

export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** The explanation of the problem and its solution, as its page shows them. */
  readonly help: string;
}

/** Every problem that the API answers, for the pages at `/problems/{code}` and for the OpenAPI document. */
export const problemKinds: Readonly<Record<ProblemCode, ProblemKind>> = {
  malformed_json: problemKind(
    400,
    'The body is not JSON',
    'Send one JSON value in UTF-8. `detail` says what stopped the parser.',
  ),
  invalid_parameter: problemKind(
    400,
    'A parameter is not valid',
    '`errors` names each wrong parameter or header and what it accepts.',
  ),
  invalid_cursor: problemKind(
    400,
    'The cursor is not valid here',
    'Use a cursor only with the list, the workspace and the filters it came from.',
  ),
  invalid_idempotency_key: problemKind(
    400,
    'The Idempotency-Key is not valid',
    'Send 1 to 255 visible ASCII characters, quoted or bare; a UUID is good.',
  ),
  bad_request: problemKind(
    400,
    'The request is not valid HTTP',
    'The request line, a header or the framing of the body cannot be read.',
  ),
  authentication_required: problemKind(
    401,
    'An access token is required',
    'Send `Authorization: Bearer <ACCESS_TOKEN>`. `standup-admin token create` creates one.',
  ),
  invalid_token: problemKind(
    401,
    'The access token is not valid',
    'It is malformed, expired, revoked, or of another installation. Create a new one.',
  ),
  insufficient_scope: problemKind(
    403,
    'The access token lacks a scope',
    'The `WWW-Authenticate` header names the scope that is needed.',
  ),
  forbidden: problemKind(
    403,
    'The caller has no right to do this',
    'The token is valid, but its holder has no right to do this.',
  ),
  scope_escalation: problemKind(
    403,
    'The new token would have more scopes than yours',
    'Request only scopes that your own token has; `errors` names those it lacks.',
  ),
  not_found: problemKind(
    404,
    'The resource was not found',
    'The id is unknown in this workspace. Ids of other workspaces return the same error.',
  ),
  method_not_allowed: problemKind(
    405,
    'The method is not allowed here',
    'The `Allow` header lists the methods of this address.',
  ),
  not_acceptable: problemKind(
    406,
    'The response is not available in that media type',
    'The API returns `application/json`: include it in `Accept`.',
  ),
  request_timeout: problemKind(
    408,
    'The request took too long to arrive',
    'Send the whole request within 30 seconds.',
  ),
  slug_taken: problemKind(409, 'The slug is taken', 'Choose another slug.'),
  channel_is_public: problemKind(
    422,
    'The Slack channel is public',
    'Choose a private channel for a private team, or none.',
  ),
  email_taken: problemKind(
    409,
    'Another member has this e-mail address',
    'Find them with `GET /v1/members?email=…`, or use another address.',
  ),
  slack_user_taken: problemKind(
    409,
    'Another member is linked to this Slack user',
    'Find them with `GET /v1/members?slack_user_id=…`.',
  ),
  last_owner: problemKind(
    409,
    'A workspace needs an owner',
    'Make another member an owner first, then repeat.',
  ),
  team_not_empty: problemKind(
    409,
    'The team has standups',
    'Repeat with `?force=true` to delete the team and its standups.',
  ),
  run_exists: problemKind(
    409,
    'The team has a run today',
    'A team has one run for each date: `detail` has its state. Open the next one tomorrow.',
  ),
  no_open_run: problemKind(409, 'No run of the team is open', 'Open one with `POST /v1/teams/{team}/runs`.'),
  team_paused: problemKind(409, 'The team is paused', 'Set `paused` to false with PATCH, then repeat.'),
  import_closed: problemKind(
    409,
    'The import takes no more rows',
    'Create a new import, and repeat its rows.',
  ),
  edit_in_slack: problemKind(
    409,
    'The comment is edited in Slack',
    'Its author edits the reply there: `detail` has its address. It can be deleted here.',
  ),
  set_by_configuration: problemKind(
    409,
    'The value is set by the configuration of the service',
    'The operator changes it there: `detail` names the setting.',
  ),
  limit_reached: problemKind(
    409,
    'A limit is reached',
    '`detail` names the limit; delete something, or wait, then repeat.',
  ),
  webhook_disabled: problemKind(409, 'The webhook is disabled', 'Enable it with PATCH, then repeat.'),
  cursor_expired: problemKind(
    410,
    'The log does not continue from that cursor',
    'Events are kept for 30 days unless the operator sets another period. If the store was restored to an earlier state, later events are lost. Read the lists again, and start without a cursor.',
  ),
  endpoint_sunset: problemKind(
    410,
    'The operation was removed',
    'It was deprecated for twelve months or more. The `Link` header with `rel="deprecation"` leads to its replacement.',
  ),
  precondition_failed: problemKind(
    412,
    'The resource has changed',
    'Read it again; the `ETag` header has its current revision.',
  ),
  payload_too_large: problemKind(413, 'The body is too large', 'A body has at most 64 KiB.'),
  uri_too_long: problemKind(414, 'The address is too long', 'Shorten the query.'),
  unsupported_media_type: problemKind(
    415,
    'The media type is not supported',
    'Send `Content-Type: application/json`, uncompressed, in UTF-8.',
  ),
  validation_failed: problemKind(
    422,
    'The body is not valid',
    '`errors` names each wrong member and what it accepts.',
  ),
  team_not_found: problemKind(
    422,
    'The team was not found',
    '`detail` names teams with a similar spelling. A post never creates a team.',
  ),
  date_not_allowed: problemKind(422, 'The date is not allowed', '`detail` says which dates are allowed.'),
  run_closed: problemKind(
    422,
    'The run no longer accepts standups',
    '`detail` says when it closed. The late policy of the team says how long after that it accepts standups.',
  ),
  webhook_url_forbidden: problemKind(
    422,
    'The webhook URL is not allowed',
    'Use https, a public host other than this service, no credentials, and port 80, 443 or 1024 and above.',
  ),
  idempotency_key_reused: problemKind(
    422,
    'The Idempotency-Key was used for another request',
    'Use a new key for a new request.',
  ),
  rate_limited: problemKind(
    429,
    'Too many requests',
    'Repeat after `Retry-After` seconds. The `RateLimit` header of every response has what is left.',
  ),
  headers_too_large: problemKind(431, 'The headers are too large', 'Send fewer or shorter headers.'),
  internal_error: problemKind(
    500,
    'An internal error occurred',
    'Report the `request_id`. Repeat with the same Idempotency-Key.',
  ),
  service_unavailable: problemKind(
    503,
    'The service is unavailable',
    'Repeat after `Retry-After` seconds, with the same Idempotency-Key.',
  ),
  store_lost: problemKind(
    503,
    "The workspace's data is missing",
    'The operator must restore the store; nothing can be read or written until then.',
  ),
  storage_full: problemKind(
    507,
    'The store is full',
    'Reading and deleting still work. The operator must add memory.',
  ),
  workspace_full: problemKind(
    507,
    'The workspace is full',
    `Reading, deleting, exporting and signing in (${limits.waysInWhileFull} times a day for each person) still work. Make room: shorten \`retention_days\` of the workspace or delete standups; or ask your operator to raise WORKSPACE_BYTES. \`GET /v1/workspace\` returns how much is used.`,
  ),
  workspace_read_only: problemKind(
    503,
    'The workspace is read-only',
    'Your operator is moving the workspace. Reading still works. Repeat changes after `Retry-After` seconds, with the same Idempotency-Key.',
  ),
  webhook_loop: problemKind(
    508,
    'A webhook leads back to this service',
    'The request is a delivery of this service, or a copy of one: it has the header `standup-delivery`. Give the webhook the address of your own receiver, and do not forward that header.',
  ),
};

function problemKind(status: number, title: string, help: string): ProblemKind {
  return {status, title, help};
}

/** A problem as in RFC 9457, ready to send. */
export interface ProblemResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface ProblemSite {
  readonly publicUrl: string;
  /** The path of the request; of a very long path only the beginning. */
  readonly instance: string;
  readonly requestId: string;
}

const realm = 'Bearer realm="team-standup-service"';

export function presentProblem(
  code: ProblemCode,
  detail: string,
  site: ProblemSite,
  error?: AppError,
): ProblemResponse {
  const {status, title} = problemKinds[code];
  const inputErrors = error?.context.inputErrors;
  const body = JSON.stringify({
    type: `${site.publicUrl}/problems/${code}`,
    title,
    status,
    detail,
    instance: site.instance,
    code,
    request_id: site.requestId,
    ...(inputErrors !== undefined && {errors: inputErrors.map(presentInputError)}),
    ...(error?.context.triesLeft !== undefined && {tries_left: error.context.triesLeft}),
  });
  return {
    status,
    headers: {'Content-Type': 'application/problem+json', ...createProblemHeaders(code, error)},
    body,
  };
}

function presentInputError({code, detail, pointer, parameter, header}: InputError): InputError {
  return {
    code,
    detail,
    ...(pointer !== undefined && {pointer}),
    ...(parameter !== undefined && {parameter}),
    ...(header !== undefined && {header}),
  };
}

function createProblemHeaders(code: ProblemCode, error: AppError | undefined): Record<string, string> {
  switch (code) {
    case 'authentication_required':
      // The answer to a request without credentials has no error code (RFC 6750 section 3).
      return {'WWW-Authenticate': realm};
    case 'invalid_token':
      return {
        'WWW-Authenticate': `${realm}, error="invalid_token", error_description="${error?.message ?? ''}"`,
      };
    case 'insufficient_scope':
      return {
        'WWW-Authenticate': `${realm}, error="insufficient_scope", scope="${(error?.context.scopes ?? []).join(' ')}"`,
      };
    case 'precondition_failed':
      return error?.context.revision === undefined ? {} : {ETag: `"${error.context.revision}"`};
    case 'unsupported_media_type':
      return {Accept: (error?.context.accepts ?? ['application/json']).join(', ')};
    case 'rate_limited':
      return {'Retry-After': String(error?.context.retryAfter ?? 1)};
    case 'service_unavailable':
    case 'store_lost':
      return {'Retry-After': '1'};
    case 'storage_full':
    case 'workspace_read_only':
      return {'Retry-After': '60'};
    // Data older than `retention_days` is deleted every hour, so there may be space again after an hour.
    case 'workspace_full':
      return {'Retry-After': '3600'};
    default:
      return {};
  }
}
