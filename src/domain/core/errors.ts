import type {Id} from './ids.js';
import {limits} from './limits.js';

/** All error codes of the service. Each entry point must handle every code, or it does not compile. */
export type ErrorCode =
  | 'malformed_json'
  | 'invalid_parameter'
  | 'invalid_cursor'
  | 'invalid_idempotency_key'
  | 'authentication_required'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'forbidden'
  | 'scope_escalation'
  | 'not_found'
  | 'not_acceptable'
  | 'slug_taken'
  | 'channel_is_public'
  | 'email_taken'
  | 'slack_user_taken'
  | 'last_owner'
  | 'team_not_empty'
  | 'run_exists'
  | 'no_open_run'
  | 'team_paused'
  | 'import_closed'
  | 'edit_in_slack'
  | 'set_by_configuration'
  | 'limit_reached'
  | 'webhook_disabled'
  | 'cursor_expired'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'team_not_found'
  | 'date_not_allowed'
  | 'run_closed'
  | 'webhook_url_forbidden'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'service_unavailable'
  | 'store_lost'
  | 'storage_full'
  | 'workspace_full'
  | 'workspace_read_only'
  | 'internal_error';

/** The reason of an error, for codes with several. Entry points for people have a sentence for each. */
export type RefusalReason =
  | 'outside_team'
  | 'observer'
  | 'not_author'
  | 'change_standup'
  | 'resolve_blocker'
  | 'acknowledge_blocker'
  | 'enter_absence'
  | 'lead_only'
  | 'admin_only'
  | 'owner_only'
  | 'not_accepted'
  | 'known_address'
  | 'unconfirmed_name'
  | 'many_blockers'
  | 'many_absences'
  | 'many_teams'
  | 'long_absence'
  | 'calendar_gone'
  | 'region_alone'
  | 'reminders_off';

/** One error of an input. Exactly one of `pointer`, `parameter` and `header` says where the error is. */
export interface InputError {
  readonly code: string;
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

export interface ErrorContext {
  readonly inputErrors?: readonly InputError[];
  /** The current revision of the resource, for `precondition_failed`. */
  readonly revision?: number;
  /** The scopes for `insufficient_scope`. Any one of them would be enough. */
  readonly scopes?: readonly string[];
  /** The seconds after which a repeat may succeed, for `rate_limited`. */
  readonly retryAfter?: number;
  /** The number of further tries, for `invalid_token` of a wrong code. */
  readonly triesLeft?: number;
  /** True when the request is refused because of a reminder a moment ago, and not because of a quota. */
  readonly reminded?: boolean;
  /** The accepted media types, for `unsupported_media_type`. */
  readonly accepts?: readonly string[];
  /** True when a change may have been made. A repeat with the same idempotency key gives the result. */
  readonly uncertain?: boolean;
  /** The kind of resource that does not exist, for `not_found`. */
  readonly missing?: string;
  readonly reason?: RefusalReason;
  /** The name of the only person who is allowed to do this, for `not_author`. */
  readonly person?: string;
  /** The refused date, for `run_closed`. */
  readonly date?: string;
  /** The end of the time to post (ms), for `no_open_run` of a snooze that comes too late. */
  readonly closesAt?: number;
  /** The team of the request, for `run_closed` and `outside_team`. */
  readonly team?: Id<'team'>;
  /** True for a sentence that is written for people, without paths, fields or ids. */
  readonly forPeople?: boolean;
  readonly cause?: unknown;
}

/** An error that a caller can understand and act on. Entry points decide how to present it. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly context: ErrorContext;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : {cause: context.cause});
    this.name = 'AppError';
    this.code = code;
    this.context = context;
  }
}

/** Creates an error whose sentence is written for people. */
export function refusalForPeople(code: ErrorCode, sentence: string, context: ErrorContext = {}): AppError {
  return new AppError(code, sentence, {...context, forPeople: true});
}

/** The maximum size of all input errors in an answer (bytes). Each occurs in `errors` and in `detail`. */
const maxInputErrorBytes = 12 * 1024;

/** Creates one error for several input errors. It includes as many of them as fit into an answer. */
export function toRefusalOfFields(code: ErrorCode, inputErrors: Iterable<InputError>): AppError {
  const named: InputError[] = [];
  let [left, more] = [maxInputErrorBytes, ''];
  for (const inputError of inputErrors) {
    left -= countErrorBytes(inputError) + countErrorBytes(inputError.detail);
    if (named.length === limits.inputErrors || (left < 0 && named.length > 0)) {
      more = ' There are more faults than these.';
      break;
    }
    named.push(inputError);
  }
  return new AppError(code, `${named.map(({detail}) => detail).join(' ')}${more}`, {inputErrors: named});
}

function countErrorBytes(value: InputError | string): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** Creates an error for one field of a JSON body. `pointer`: as a URI fragment, such as `#/update`. */
export function fieldError(
  code: ErrorCode,
  pointer: string,
  detail: string,
  context: Omit<ErrorContext, 'inputErrors'> = {},
): AppError {
  return new AppError(code, detail, {...context, inputErrors: [{code, detail, pointer}]});
}

export function createParameterError(
  parameter: string,
  detail: string,
  code: ErrorCode = 'invalid_parameter',
): AppError {
  return new AppError(code, detail, {inputErrors: [{code, detail, parameter}]});
}

/** Creates a `not_found` error: the same for an unknown, a malformed, and another workspace's id. */
export function notFound(what: string): AppError {
  return new AppError('not_found', `There is no such ${what}.`, {missing: what});
}
