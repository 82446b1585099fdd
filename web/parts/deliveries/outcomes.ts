import type {Schema} from '../../api/schema.ts';
import {words} from '../../words/words.ts';

type Attempt = Pick<Schema<'AttemptSummary'>, 'error' | 'status'>;

/** `204`, or the reason of the failure: `timed out`, `answered 503`. */
export function outcomeOf({error, status}: Attempt): string {
  const {outcomes} = words.webhooks;
  if (error === null) return String(status ?? '');
  if (error === 'status') return outcomes.status(status);
  return Object.hasOwn(outcomes, error) ? outcomes[error] : outcomes.other;
}

/** Continues “the last 14 attempts …”. */
export function failedHow({error, status}: Attempt, isOne: boolean): string {
  const {failed} = words.webhooks;
  const say = error !== null && Object.hasOwn(failed, error) ? failed[error] : failed.other;
  return say(isOne, status);
}
