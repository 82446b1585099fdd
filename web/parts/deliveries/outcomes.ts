import type {Schema} from '../../api/schema.ts';
import {texts} from '../../texts/texts.ts';

type AttemptResult = Pick<Schema<'AttemptSummary'>, 'error' | 'status'>;

/** Describes an attempt's result: `204`, or the failure, such as `timed out` or `answered 503`. */
export function describeOutcome({error, status}: AttemptResult): string {
  const {outcomes} = texts.webhooks;
  if (error === null) return String(status ?? '');
  if (error === 'status') return outcomes.status({status});
  return Object.hasOwn(outcomes, error) ? outcomes[error] : outcomes.other;
}

/** Describes a failure in words that complete a sentence such as “the last 14 attempts …”. */
export function describeRepeatedFailure({error, status}: AttemptResult, isOne: boolean): string {
  const {failed} = texts.webhooks;
  const describe = error !== null && Object.hasOwn(failed, error) ? failed[error] : failed.other;
  return describe({one: isOne, status});
}
