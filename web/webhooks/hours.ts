import type {WebhookHealth} from '../api/schema.ts';
import {formatWhen} from '../parts/deliveries/durations.ts';
import {texts} from '../texts/texts.ts';

export type Hour = WebhookHealth['hours'][number];

const hourMs = 3_600_000;

export function labelHour(hour: Hour): string {
  return texts.webhooks.hours.bar({
    time: formatWhen(hour.at, Date.now()),
    succeeded: hour.succeeded,
    failed: hour.failed,
  });
}

/** Describes failures by kind, such as `3 × not a 2xx, 4 × timed out`. */
export function describeFailures({errors}: Pick<Hour, 'errors'>): string {
  return Object.entries(errors)
    .map(([error, count]) => `${count} × ${findErrorName(error)}`)
    .join(', ');
}

function findErrorName(error: string): string {
  const {status: _, ...others} = texts.webhooks.outcomes;
  const named: Readonly<Record<string, string>> = others;
  return error === 'status' ? texts.webhooks.hours.otherStatus : (named[error] ?? others.other);
}

export function countAttempts({succeeded, failed}: Hour): number {
  return succeeded + failed;
}

export function findEndOfHour(at: string): string {
  return new Date(Date.parse(at) + hourMs - 1).toISOString();
}

/** Returns the height of a bar; a count above zero is always visible. */
export function computeBarHeight(count: number, most: number): string {
  return count === 0 ? '0' : `max(3px, ${(100 * count) / most}%)`;
}

/** Returns the index of the bar to which an arrow key, Home or End moves; undefined for other keys. */
export function findNextBarIndex(
  key: string,
  {at, count, isRightToLeft}: {readonly at: number; readonly count: number; readonly isRightToLeft: boolean},
): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: isRightToLeft ? at + 1 : at - 1,
    ArrowRight: isRightToLeft ? at - 1 : at + 1,
    Home: 0,
    End: count - 1,
  };
  const to = steps[key];
  return to === undefined ? undefined : Math.min(count - 1, Math.max(0, to));
}
