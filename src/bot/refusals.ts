import {AppError, type ErrorCode} from '../domain/errors.js';
import type {Log} from '../domain/log.js';

/** What a person is told when the service refuses: the error's own sentence, or one that fits Slack better. */
const sentences: Record<ErrorCode, string | 'own'> = {
  malformed_json: 'own',
  invalid_parameter: 'own',
  invalid_cursor: 'own',
  invalid_idempotency_key: 'own',
  authentication_required: 'The service does not know this Slack workspace.',
  invalid_token: 'The service does not know this Slack workspace.',
  insufficient_scope: 'own',
  forbidden: 'own',
  scope_escalation: 'own',
  not_found: 'own',
  not_acceptable: 'own',
  slug_taken: 'own',
  email_taken: 'own',
  slack_user_taken: 'own',
  last_owner: 'own',
  team_not_empty: 'own',
  limit_reached: 'own',
  webhook_disabled: 'own',
  cursor_expired: 'own',
  precondition_failed: 'Somebody has changed this standup at the same time. Try again.',
  payload_too_large: 'The text is too long.',
  unsupported_media_type: 'own',
  validation_failed: 'own',
  team_not_found: 'own',
  date_not_allowed: 'own',
  webhook_url_forbidden: 'own',
  rate_limited: 'own',
  idempotency_key_reused: 'This has been posted already.',
  service_unavailable: 'The service cannot reach its store at the moment. Try again in a minute.',
  store_lost: 'The data of this workspace is not in the store. Tell whoever runs the service.',
  storage_full: 'The store is full. Tell whoever runs the service.',
  internal_error: 'Something went wrong on our side.',
};

/** Codes whose cause a person cannot see or mend: they get a reference to ask with. */
const opaque: ReadonlySet<ErrorCode> = new Set([
  'service_unavailable',
  'store_lost',
  'storage_full',
  'internal_error',
]);

export interface Refusal {
  readonly code: ErrorCode;
  /** One or two sentences for the person, never empty, with a reference where there is something to look up. */
  readonly sentence: string;
}

/** Words for whatever went wrong. What is not a refusal of ours is a bug and logged as one, never with what a person wrote. */
export function explain(error: unknown, log: Log, reference: string): Refusal {
  const refusal = error instanceof AppError ? error : new AppError('internal_error', '', {cause: error});
  const {code} = refusal;
  if (code === 'internal_error') log.error({reference}, 'a Slack request failed', error);
  else if (opaque.has(code)) log.warn({reference, code}, 'a Slack request could not be served');
  const words = sentences[code];
  const sentence = words === 'own' ? refusal.message : words;
  return {code, sentence: opaque.has(code) ? `${sentence} (Reference: ${reference})` : sentence};
}
