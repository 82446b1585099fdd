import type {Id} from './ids.js';
import {limits} from './limits.js';

/**
 * Every way in which the service can refuse. Each entry point maps all of them, so a new code does not
 * compile until each handles it.
 */
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
  | 'email_taken'
  | 'slack_user_taken'
  | 'last_owner'
  | 'team_not_empty'
  | 'run_exists'
  | 'no_open_run'
  | 'team_paused'
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
  | 'internal_error';

/**
 * The reason of a refusal, for codes with several reasons: entry points for people have a sentence for each.
 */
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
  | 'region_alone';

/** One error of an input; exactly one of `pointer`, `parameter` and `header` says where it is. */
export interface InputError {
  readonly code: string;
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

export interface ErrorContext {
  readonly inputErrors?: readonly InputError[];
  /** Revision the resource has now, for `precondition_failed`. */
  readonly revision?: number;
  /** Scopes that would have been enough, for `insufficient_scope`. */
  readonly scopes?: readonly string[];
  /** Whole seconds after which a repeat may succeed, for `rate_limited`. */
  readonly retryAfter?: number;
  /** True when the cause is not the caller's own quota: the people were reminded a moment ago. */
  readonly reminded?: boolean;
  /** Media types that would have been taken, for `unsupported_media_type`. */
  readonly accepts?: readonly string[];
  /** True when a change may have been made all the same: a repeat with its idempotency key shows whether. */
  readonly uncertain?: boolean;
  /** The kind of resource that an address named and that does not exist, for `not_found`. */
  readonly missing?: string;
  readonly reason?: RefusalReason;
  /** The name of the only person who may do it, for `not_author`. */
  readonly person?: string;
  /** The day that is refused, for `run_closed`. */
  readonly date?: string;
  /** The team concerned, for `run_closed` and `outside_team`. */
  readonly team?: Id<'team'>;
  /** True when the sentence is for people, who know no paths, members or ids. */
  readonly forPeople?: boolean;
  readonly cause?: unknown;
}

/**
 * A refusal that a caller can understand and act on. It carries no transport: entry points decide how to say
 * it.
 */
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

/** A refusal phrased for people. */
export function refusalForPeople(code: ErrorCode, sentence: string, context: ErrorContext = {}): AppError {
  return new AppError(code, sentence, {...context, forPeople: true});
}

/** The maximum size of all errors of one refusal, in bytes: each is in `errors` and in `detail`. */
const maxInputErrorBytes = 12 * 1024;

/** The refusal for several errors: names as many as there is room for, and reads no more of them. */
export function refusalForErrors(code: ErrorCode, inputErrors: Iterable<InputError>): AppError {
  const named: InputError[] = [];
  let [left, more] = [maxInputErrorBytes, ''];
  for (const inputError of inputErrors) {
    left -= bytesOf(inputError) + bytesOf(inputError.detail);
    if (named.length === limits.inputErrors || (left < 0 && named.length > 0)) {
      more = ' There are more faults than these.';
      break;
    }
    named.push(inputError);
  }
  return new AppError(code, `${named.map(({detail}) => detail).join(' ')}${more}`, {inputErrors: named});
}

function bytesOf(value: InputError | string): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/**
 * The refusal for one wrong member of a JSON body; `pointer` is a URI-fragment JSON Pointer such as
 * `#/update`.
 */
export function fieldError(
  code: ErrorCode,
  pointer: string,
  detail: string,
  context: Omit<ErrorContext, 'inputErrors'> = {},
): AppError {
  return new AppError(code, detail, {...context, inputErrors: [{code, detail, pointer}]});
}

/** The refusal for one wrong query parameter. */
export function parameterError(
  parameter: string,
  detail: string,
  code: ErrorCode = 'invalid_parameter',
): AppError {
  return new AppError(code, detail, {inputErrors: [{code, detail, parameter}]});
}

/** Callers cannot distinguish an unknown id, another tenant's id and a malformed id. */
export function notFound(what: string): AppError {
  return new AppError('not_found', `There is no such ${what}.`, {missing: what});
}
