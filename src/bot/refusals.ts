import {AppError, type ErrorCode} from '../domain/errors.js';
import type {Log} from '../domain/log.js';
import {readerOf, type Words} from './words/words.js';

/** What a person is told when the service refuses: the error's own sentence, or one of the catalogue that fits Slack better. */
const sentences: Record<ErrorCode, keyof Words['refusal'] | 'own'> = {
  malformed_json: 'own',
  invalid_parameter: 'own',
  invalid_cursor: 'own',
  invalid_idempotency_key: 'own',
  authentication_required: 'unknownWorkspace',
  invalid_token: 'unknownWorkspace',
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
  run_exists: 'own',
  no_open_run: 'own',
  team_paused: 'own',
  limit_reached: 'own',
  webhook_disabled: 'own',
  cursor_expired: 'own',
  precondition_failed: 'changedMeanwhile',
  payload_too_large: 'tooLong',
  unsupported_media_type: 'own',
  validation_failed: 'own',
  team_not_found: 'own',
  date_not_allowed: 'own',
  run_closed: 'own',
  webhook_url_forbidden: 'own',
  rate_limited: 'own',
  idempotency_key_reused: 'postedAlready',
  service_unavailable: 'storeAway',
  store_lost: 'storeLost',
  storage_full: 'storeFull',
  internal_error: 'ourFault',
};

/** Codes whose cause a person cannot see or mend: they get a reference to ask with. */
const opaque: ReadonlySet<ErrorCode> = new Set([
  'service_unavailable',
  'store_lost',
  'storage_full',
  'internal_error',
]);

/** Slack does not tell who somebody is, and who that is must not be guessed. */
export class SlackAway extends AppError {
  constructor() {
    super('service_unavailable', readerOf().words.refusal.slackAway);
  }
}

export interface Refusal {
  readonly code: ErrorCode;
  /** One or two sentences for the person, never empty, with a reference where there is something to look up. */
  readonly sentence: string;
  /** True when what was asked for may have been done all the same: then the sentence says so, and nobody must say that it was not. */
  readonly uncertain: boolean;
}

/** Words for whatever went wrong. What is not a refusal of ours is a bug and logged as one, never with what a person wrote. */
export function explain(
  error: unknown,
  log: Log,
  reference: string,
  words: Words = readerOf().words,
): Refusal {
  const refusal = error instanceof AppError ? error : new AppError('internal_error', '', {cause: error});
  const {code} = refusal;
  if (code === 'internal_error') log.error({reference}, 'a Slack request failed', error);
  else if (opaque.has(code)) log.warn({reference, code}, 'a Slack request could not be served');
  const uncertain = refusal.context.uncertain === true;
  const {retryAfter} = refusal.context;
  const own = retryAfter === undefined ? refusal.message : words.tooFast(retryAfter);
  const named = refusal instanceof SlackAway ? 'slackAway' : sentences[code];
  const known = uncertain ? 'uncertain' : named;
  const sentence = known === 'own' ? own : words.refusal[known];
  return {code, uncertain, sentence: opaque.has(code) ? words.withReference(sentence, reference) : sentence};
}
