import type {Schema} from '../../api/schema.ts';
import {texts} from '../../texts/texts.ts';

type AttemptResult = Pick<Schema<'AttemptSummary'>, 'error' | 'status'>;

/** `204`, or the reason of the failure: `timed out`, `answered 503`. */
export function outcomeOf({error, status}: AttemptResult): string {
  const {outcomes} = texts.webhooks;
  if (error === null) return String(status ?? '');
  if (error === 'status') return outcomes.status(status);
  return Object.hasOwn(outcomes, error) ? outcomes[error] : outcomes.other;
}

/** Continues “the last 14 attempts …”. */
export function describeRepeatedFailure({error, status}: AttemptResult, isOne: boolean): string {
  const {failed} = texts.webhooks;
  const say = error !== null && Object.hasOwn(failed, error) ? failed[error] : failed.other;
  return say(isOne, status);
}
