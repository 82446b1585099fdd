import type {InputError} from '../../domain/core/errors.js';
import {type ProblemCode, problemKinds} from '../http/problems.js';
import {exampleIds} from './ids.js';

/** The details of an example problem: its sentence, and the position of the error. */
interface Particulars {
  readonly detail: string;
  /** The path of the refused request. */
  readonly instance?: string;
  /** The position of the error: `#/field` in the body, `?parameter` in the query, or the name of a header. */
  readonly at?: string;
  /** The sentence about the error, if it differs from that of the problem. */
  readonly errorDetail?: string;
}

const standup = `/v1/standups/${exampleIds.standup}`;

const particulars: Readonly<Record<ProblemCode, Particulars>> = {
  malformed_json: {
    detail: 'The body is not JSON: it ends too early. Names and texts need double quotes: {"name": "value"}.',
  },
  invalid_parameter: {detail: '`limit` must be a number from 1 to 100; it is 0.', at: '?limit'},
  invalid_cursor: {
    detail: '`cursor` is not a cursor of this list with these filters. Leave it out to start again.',
    at: '?cursor',
  },
  invalid_idempotency_key: {
    detail: '`Idempotency-Key` must be 1 to 255 visible ASCII characters without spaces, such as a UUID.',
    at: 'Idempotency-Key',
  },
  bad_request: {detail: 'The address is not percent-encoded UTF-8, in which ü is %C3%BC.'},
  authentication_required: {
    detail:
      'Send an access token: `Authorization: Bearer <ACCESS_TOKEN>`. `standup-admin token create` creates one.',
  },
  invalid_token: {
    detail:
      'The access token is not valid here: it is malformed, or of another installation. Create a new one.',
  },
  insufficient_scope: {
    detail:
      'The access token lacks the scope "standups:write"; it has teams:read. The scopes of a token never change: create another token.',
  },
  forbidden: {
    detail: 'Only its author ci, or a token with the scope "standups:write_any" may change it.',
    instance: standup,
  },
  scope_escalation: {
    detail:
      'The new token would have scopes that yours lacks: teams:write. Leave them out, or use a token that has them.',
    instance: '/v1/tokens',
    at: '#/scopes',
    errorDetail: 'your token lacks "teams:write"',
  },
  not_found: {
    detail: `There is no standup "${exampleIds.standup}" in this workspace. Such ids look like std_01h455vb4pex5vsknk084sn02q, and GET /v1/standups lists them.`,
    instance: standup,
  },
  method_not_allowed: {detail: 'This address answers GET, HEAD, OPTIONS, POST, and no DELETE.'},
  not_acceptable: {
    detail: 'This address returns application/json, which `Accept` does not allow.',
    at: 'Accept',
    errorDetail: 'must allow application/json',
  },
  request_timeout: {detail: 'The request did not arrive in time.'},
  slug_taken: {
    detail: 'There is a team "platform" already. Choose another slug.',
    instance: '/v1/teams',
    at: '#/slug',
  },
  channel_is_public: {
    detail:
      'The Slack channel C024BE91L is public, so everyone there could read this private team. Choose a private channel, or null for none.',
    instance: '/v1/teams/platform',
    at: '#/slack_channel_id',
  },
  email_taken: {
    detail:
      'Another member has the e-mail address "ada@example.com" already. Search for that member, or use another value.',
    instance: '/v1/members',
    at: '#/email',
  },
  slack_user_taken: {
    detail:
      'Another member has the Slack user "U0G9QF9C6" already. Search for that member, or use another value.',
    instance: '/v1/members',
    at: '#/slack_user_id',
  },
  last_owner: {
    detail:
      "This member is the workspace's last owner and cannot be given another role. Make another member an owner first.",
    instance: `/v1/members/${exampleIds.member}`,
  },
  team_not_empty: {
    detail: 'The team "platform" has 2 standups. To delete the team with its standups, add ?force=true.',
    instance: '/v1/teams/platform',
    at: '?force',
  },
  run_exists: {
    detail:
      'On 2026-11-23 the team "platform" has a run that a caller opened already, which is open. The next one can be opened tomorrow.',
    instance: '/v1/teams/platform/runs',
  },
  no_open_run: {
    detail:
      'No run of the team "platform" is open, so there is no one to remind. POST /v1/teams/platform/runs opens one.',
    instance: '/v1/teams/platform/reminders',
  },
  import_closed: {
    detail: 'The import is completed, and takes no more rows.',
    instance: '/v1/imports/imp_01ke6p4ym07fk9s1s2m8xq4vbt/rows',
  },
  edit_in_slack: {
    detail:
      'This comment is a reply in Slack, and is edited there: https://acme.slack.com/archives/C024BE91L/p1763888652351000',
    instance: '/v1/comments/cmt_01ke6p4ym07fk9s1s2m8xq4vbt',
  },
  team_paused: {
    detail: 'The team "platform" is paused: no run opens until it is resumed.',
    instance: '/v1/teams/platform/runs',
  },
  set_by_configuration: {
    detail:
      'Slack is connected by SLACK_BOT_TOKEN in the configuration of the service. The operator removes it there, or an admin of the Slack workspace removes the app.',
    instance: '/v1/slack',
  },
  limit_reached: {detail: 'A workspace has at most 500 webhooks.', instance: '/v1/webhooks'},
  webhook_disabled: {
    detail: 'The webhook is disabled. Enable it, then repeat the redelivery.',
    instance: `/v1/deliveries/${exampleIds.delivery}/redeliver`,
  },
  cursor_expired: {
    detail:
      'The log does not continue from this cursor: the next event is no longer kept, or the store was restored to an earlier state. Start again without it.',
    instance: '/v1/events',
  },
  endpoint_sunset: {
    detail: 'This operation has gone on 2028-03-01. What to use instead: /docs',
  },
  precondition_failed: {
    detail:
      'The resource has changed: it is at revision 3 now. Read it again, and repeat the change with `If-Match: "3"`.',
    instance: standup,
    at: 'If-Match',
    errorDetail: 'now at revision 3',
  },
  payload_too_large: {detail: 'The body is larger than 64 KiB.'},
  uri_too_long: {detail: 'The address is longer than 8 KiB.'},
  unsupported_media_type: {
    detail: 'Send the body as JSON, with `Content-Type: application/json`; it is "text/plain".',
    at: 'Content-Type',
  },
  validation_failed: {
    detail:
      '`update` must be of type string, such as "Shipped the importer. Today: the retry page."; it is 7.',
    at: '#/update',
  },
  team_not_found: {
    detail: 'There is no team "platfrom" in this workspace. Did you mean "platform"?',
    at: '#/team',
  },
  date_not_allowed: {
    detail:
      'A standup for "platform" may be dated from 2025-11-23 to 2026-11-24 (today there is 2026-11-23), not 2020-01-01.',
    at: '#/date',
  },
  run_closed: {
    detail:
      'The run of "platform" for 2026-11-23 closed at 2026-11-23T10:00:00.000Z, and the team accepts no late standups (late policy: never). Post for another date, or have a lead of the team change its late policy.',
    at: '#/date',
  },
  webhook_url_forbidden: {
    detail:
      'The URL must lead to a public address, such as https://example.com/standups; 10.0.0.1 is not public.',
    instance: '/v1/webhooks',
    at: '#/url',
  },
  idempotency_key_reused: {
    detail: 'This Idempotency-Key was used before with another request. Use a new key for a new request.',
    at: 'Idempotency-Key',
    errorDetail: 'used before with another request',
  },
  rate_limited: {
    detail: 'You have used up your 600 requests a minute, over all your tokens. Repeat after 1 s.',
  },
  headers_too_large: {detail: 'The headers are larger than 16 KiB.'},
  internal_error: {detail: 'An internal error occurred. Report the request_id.'},
  service_unavailable: {detail: 'The store did not answer in time.'},
  store_lost: {detail: "This workspace's data is not in the store. Restore it, then try again."},
  storage_full: {detail: 'The store is full; reading and deleting still work.'},
  workspace_full: {
    detail:
      'This workspace has used up its share of the store. Reading, deleting and exporting still work. An owner or admin makes room with a shorter `retention_days` (within the hour) or by deleting standups (their texts are kept for a while for webhooks); your operator raises WORKSPACE_BYTES.',
  },
  workspace_read_only: {
    detail:
      'This workspace is read-only while your operator moves it: nothing was changed. Reading still works. Repeat later with the same Idempotency-Key.',
  },
  webhook_loop: {
    detail:
      'The request is a delivery of a standup service (it has a standup-delivery header), of this one or another, and none takes them.',
  },
};

/** Creates an example problem, as the API answers it. */
export function createProblemExample(code: ProblemCode, publicUrl: string): object {
  const {status, title} = problemKinds[code];
  const {detail, instance = '/v1/standups', at, errorDetail = detail} = particulars[code];
  return {
    type: `${publicUrl}/problems/${code}`,
    title,
    status,
    detail,
    instance,
    code,
    request_id: exampleIds.request,
    ...(at !== undefined && {errors: [{code, detail: errorDetail, ...findErrorSource(at)}]}),
  };
}

function findErrorSource(at: string): Pick<InputError, 'pointer' | 'parameter' | 'header'> {
  if (at.startsWith('#')) return {pointer: at};
  return at.startsWith('?') ? {parameter: at.slice(1)} : {header: at};
}
