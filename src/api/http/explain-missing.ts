import {AppError, type ErrorContext} from '../../domain/core/errors.js';
import {type IdKind, idPrefixes} from '../../domain/core/ids.js';
import {quoteForMessage} from '../../domain/core/text.js';

/** The kind of the id, and the path of the list that contains it, for each kind of thing in a path. */
const listed: Readonly<Record<string, {readonly kind: IdKind; readonly list: string}>> = {
  standup: {kind: 'standup', list: '/v1/standups'},
  blocker: {kind: 'blocker', list: '/v1/blockers'},
  comment: {kind: 'comment', list: '/v1/comments'},
  absence: {kind: 'absence', list: '/v1/absences'},
  webhook: {kind: 'webhook', list: '/v1/webhooks'},
  delivery: {kind: 'delivery', list: '/v1/webhooks/{webhook}/deliveries'},
  replay: {kind: 'replay', list: '/v1/webhooks/{webhook}/replays'},
  event: {kind: 'event', list: '/v1/events'},
  erasure: {kind: 'erasure', list: '/v1/erasures'},
  'service account': {kind: 'service_account', list: '/v1/service-accounts'},
  token: {kind: 'access_token', list: '/v1/tokens'},
  'holiday calendar': {kind: 'holiday_calendar', list: '/v1/holiday-calendars'},
};

/** Adds to the error for an unknown id: the given id, an example, and where existing ids are listed. */
export function explainUnknownId(error: unknown, params: Readonly<Record<string, string>>): unknown {
  const what = findMissingResource(error);
  const found = what === undefined ? undefined : listed[what];
  const given = params[what?.replaceAll(' ', '_') ?? ''];
  if (what === undefined || found === undefined || given === undefined) return error;
  const {kind, list} = found;
  const form = `Such ids look like ${idPrefixes[kind]}_01h455vb4pex5vsknk084sn02q`;
  const detail = `There is no ${what} ${quoteForMessage(given)} in this workspace. ${form}, and GET ${list} lists them.`;
  return new AppError('not_found', detail, (error as AppError).context);
}

function findMissingResource(error: unknown): ErrorContext['missing'] {
  return error instanceof AppError && error.code === 'not_found' ? error.context.missing : undefined;
}
