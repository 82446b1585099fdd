import {AppError, type ErrorCode, type RefusalReason, refusalForPeople} from '../../../domain/core/errors.js';
import {isolateName} from '../../texts/bidi.js';
import {translationFor, type SlackTranslation} from '../blocks/slack-translation.js';
import type {Texts} from '../../texts/translation.js';
import type {TeamDirectory} from '../../../domain/teams/team.js';
import {SlackAway} from './profiles.js';
import type {SlackContext} from './context.js';

type RefusalKey = keyof Texts['refusal'];

/** Explains refusals to people. The service's own messages are for programs: they contain paths and ids. */
const sentences: Record<ErrorCode, RefusalKey> = {
  malformed_json: 'notTaken',
  invalid_parameter: 'notTaken',
  invalid_cursor: 'notTaken',
  invalid_idempotency_key: 'notTaken',
  authentication_required: 'unknownWorkspace',
  invalid_token: 'unknownWorkspace',
  insufficient_scope: 'notAllowed',
  forbidden: 'notAllowed',
  scope_escalation: 'notAllowed',
  not_found: 'gone',
  not_acceptable: 'notTaken',
  slug_taken: 'changedMeanwhile',
  channel_is_public: 'channelIsPublic',
  email_taken: 'notTaken',
  slack_user_taken: 'notTaken',
  last_owner: 'notAllowed',
  team_not_empty: 'notTaken',
  run_exists: 'runExists',
  no_open_run: 'noOpenRun',
  team_paused: 'teamPaused',
  import_closed: 'notTaken',
  edit_in_slack: 'notTaken',
  set_by_configuration: 'notTaken',
  limit_reached: 'limitReached',
  webhook_disabled: 'notTaken',
  cursor_expired: 'notTaken',
  precondition_failed: 'changedMeanwhile',
  payload_too_large: 'tooLong',
  unsupported_media_type: 'notTaken',
  validation_failed: 'notTaken',
  team_not_found: 'teamGone',
  date_not_allowed: 'dateNotAllowed',
  run_closed: 'runClosed',
  webhook_url_forbidden: 'notTaken',
  rate_limited: 'rateLimited',
  idempotency_key_reused: 'postedAlready',
  service_unavailable: 'storeAway',
  store_lost: 'storeLost',
  storage_full: 'storeFull',
  workspace_full: 'workspaceFull',
  workspace_read_only: 'workspaceReadOnly',
  internal_error: 'internalError',
};

type CamelCase<T extends string> = T extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : T;

/** Returns the name of the text for a reason: `lead_only` is `leadOnly`. Each reason needs a text. */
function findReasonText(reason: RefusalReason): CamelCase<RefusalReason> {
  return reason.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<RefusalReason>;
}

/** Error codes whose cause a person cannot see or fix: the person gets a reference to quote. */
const opaque: ReadonlySet<ErrorCode> = new Set([
  'service_unavailable',
  'store_lost',
  'storage_full',
  'internal_error',
]);

export interface Refusal {
  readonly code: ErrorCode;
  readonly reference: string;
  /** One or two sentences for the person, never empty, with a reference if there is something to look up. */
  readonly sentence: string;
  /** True if the action may have been done despite the error. No text may say that it was not done. */
  readonly uncertain: boolean;
  /** True for a failure of our own: if Slack sends the same request again, we accept and serve it. */
  readonly unserved: boolean;
}

/** Explains any error to a person. Other errors than refusals are logged as bugs, without people's texts. */
export function explainError(
  {log, generateReference}: Pick<SlackContext, 'log' | 'generateReference'>,
  error: unknown,
  texts: Texts = translationFor().texts,
): Refusal {
  const reference = generateReference();
  const refusal = error instanceof AppError ? error : new AppError('internal_error', '', {cause: error});
  const {code, context} = refusal;
  if (code === 'internal_error') log.error({reference}, 'a Slack request failed', error);
  else if (opaque.has(code)) log.warn({reference, code}, 'could not serve a Slack request');
  const uncertain = context.uncertain === true;
  const sentence = uncertain ? texts.refusal.uncertain : formatRefusalSentence(refusal, texts);
  return {
    code,
    reference,
    uncertain,
    unserved: code === 'service_unavailable' || code === 'internal_error',
    sentence: opaque.has(code) ? texts.withReference({sentence, reference}) : sentence,
  };
}

function formatRefusalSentence(refusal: AppError, texts: Texts): string {
  const {code, message, context} = refusal;
  if (refusal instanceof SlackAway) return texts.refusal.slackAway;
  if (context.forPeople === true) return message;
  if (context.retryAfter !== undefined) return texts.tooFast({seconds: context.retryAfter});
  if (context.person !== undefined) return texts.typed.onlyAuthor({name: isolateName(context.person)});
  return texts.refusal[context.reason === undefined ? sentences[code] : findReasonText(context.reason)];
}

/** Adds the team's name and the date to a refusal that concerns one team. Other errors stay unchanged. */
export function nameTeamInRefusal(
  error: unknown,
  {texts, day}: SlackTranslation,
  directory: TeamDirectory,
): unknown {
  if (!(error instanceof AppError)) return error;
  const {code, context} = error;
  const team = directory.byReference(context.team ?? '');
  if (team === undefined) return error;
  const [name, {date}] = [isolateName(team.name), context];
  const say = (sentence: string) => refusalForPeople(code, sentence, {...context, cause: error});
  if (context.reason === 'outside_team') return say(texts.form.outside({team: name}));
  return date === undefined ? error : say(texts.form.tooLate({team: name, day: day(date)}));
}
