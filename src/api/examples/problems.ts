import type {Fault} from '../../domain/errors.js';
import {type ProblemCode, problemKinds} from '../problems.js';
import {exampleIds} from './ids.js';

/** What is particular about one problem: its sentence, and where the fault is. */
interface Particulars {
  readonly detail: string;
  /** Path of the request. */
  readonly instance?: string;
  /** Exactly one place of the fault: `#/member`, `?parameter` or a header's name. */
  readonly at?: string;
}

const standup = `/v1/standups/${exampleIds.standup}`;

const particulars: Readonly<Record<ProblemCode, Particulars>> = {
  malformed_json: {detail: 'The body is not JSON: unexpected token at position 24.'},
  invalid_parameter: {detail: '`limit` must be a number from 1 to 100.', at: '?limit'},
  invalid_cursor: {
    detail: 'The cursor is not one that this list has given with these filters.',
    at: '?cursor',
  },
  invalid_idempotency_key: {
    detail: 'An Idempotency-Key is 1 to 255 visible ASCII characters, quoted or bare.',
    at: 'Idempotency-Key',
  },
  bad_request: {detail: 'The request is not valid HTTP/1.1.'},
  authentication_required: {detail: 'Send an access token: `Authorization: Bearer <ACCESS_TOKEN>`.'},
  invalid_token: {detail: 'The access token has been revoked or has expired.'},
  insufficient_scope: {detail: 'The access token lacks the scope "standups:write".'},
  forbidden: {detail: 'You are not in the team "platform", so you cannot post for it.'},
  scope_escalation: {
    detail:
      'The new token would have scopes that yours lacks: webhooks:manage. Leave them out, or ask with a token that has them.',
    instance: '/v1/tokens',
    at: '#/scopes',
  },
  not_found: {detail: 'There is no such standup.', instance: standup},
  method_not_allowed: {detail: 'This address answers GET, HEAD, OPTIONS, POST.'},
  not_acceptable: {
    detail: 'The API answers application/json, which `Accept` does not admit.',
    at: 'Accept',
  },
  request_timeout: {detail: 'The request did not arrive in time.'},
  slug_taken: {detail: 'There is a team "platform" already.', instance: '/v1/teams', at: '#/slug'},
  email_taken: {
    detail: 'Another member has the e-mail address "ada@example.com" already.',
    instance: '/v1/members',
    at: '#/email',
  },
  slack_user_taken: {
    detail: 'Another member has the Slack user "U0G9QF9C6" already.',
    instance: '/v1/members',
    at: '#/slack_user_id',
  },
  last_owner: {
    detail: "This is the workspace's last owner, who cannot be removed. Make somebody else an owner first.",
    instance: `/v1/members/${exampleIds.member}`,
  },
  team_not_empty: {
    detail: 'The team has standups. Repeat with `?force=true` to delete them too.',
    instance: '/v1/teams/platform',
    at: '?force',
  },
  limit_reached: {detail: 'A workspace has at most 20 webhooks.', instance: '/v1/webhooks'},
  webhook_disabled: {
    detail: 'The webhook is disabled. Enable it, then send the delivery again.',
    instance: `/v1/deliveries/${exampleIds.delivery}/redeliver`,
  },
  cursor_expired: {
    detail: 'The events after this cursor are no longer kept.',
    instance: '/v1/events',
    at: '?cursor',
  },
  endpoint_sunset: {
    detail: 'This operation has gone on 2028-03-01. What to use instead: /docs',
  },
  precondition_failed: {
    detail: 'The resource is at revision 3.',
    instance: standup,
    at: 'If-Match',
  },
  payload_too_large: {detail: 'The body is larger than 64 KiB.'},
  uri_too_long: {detail: 'The address is longer than 8 KiB.'},
  unsupported_media_type: {detail: 'Send the body as application/json.', at: 'Content-Type'},
  validation_failed: {detail: '`update` is required (string).', at: '#/update'},
  team_not_found: {
    detail: 'There is no team "platfrom" in this workspace. Did you mean "platform"?',
    at: '#/team',
  },
  date_not_allowed: {detail: 'A date is from 365 days ago to tomorrow.', at: '#/date'},
  webhook_url_forbidden: {
    detail: 'The URL must be https.',
    instance: '/v1/webhooks',
    at: '#/url',
  },
  idempotency_key_reused: {
    detail: 'This Idempotency-Key was used for another request.',
    at: 'Idempotency-Key',
  },
  rate_limited: {
    detail: 'You have used up your 120 writes a minute, over all your tokens. Repeat after 1 s.',
  },
  headers_too_large: {detail: 'The headers are larger than 16 KiB.'},
  internal_error: {detail: 'Something went wrong on our side. Report the request_id.'},
  service_unavailable: {detail: 'The store cannot be reached; try again.'},
  store_lost: {detail: "This workspace's data is not in the store. Restore it, then try again."},
  storage_full: {detail: 'The store is full: nothing was written.'},
};

/** A problem as it is answered. */
export function problemExample(code: ProblemCode, publicUrl: string): object {
  const {status, title} = problemKinds[code];
  const {detail, instance = '/v1/standups', at} = particulars[code];
  return {
    type: `${publicUrl}/problems/${code}`,
    title,
    status,
    detail,
    instance,
    code,
    request_id: exampleIds.request,
    ...(at !== undefined && {errors: [{code, detail, ...placeOf(at)}]}),
  };
}

function placeOf(at: string): Pick<Fault, 'pointer' | 'parameter' | 'header'> {
  if (at.startsWith('#')) return {pointer: at};
  return at.startsWith('?') ? {parameter: at.slice(1)} : {header: at};
}
