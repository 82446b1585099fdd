import type {MailKind} from './mail.js';

const minuteMs = 60_000;

/** The delays (ms) after each refusal for now; the last one repeats. A person waits for a code. */
const delays = {
  code: [15_000, 45_000, 2 * minuteMs, 5 * minuteMs],
  other: [1, 5, 15, 30, 60].map((minutes) => minutes * minuteMs),
};

export const longestMailDelayMs = 60 * minuteMs;

/** Returns when a mail is tried again (ms from now). `attempts`: those before the one that was refused. */
export function computeMailDelay(kind: MailKind, attempts: number): number {
  const row = kind === 'sign_in_code' ? delays.code : delays.other;
  return row[Math.min(attempts, row.length - 1)] ?? 0;
}

const firstRestMs = 30_000;
export const longestMailRestMs = 15 * minuteMs;

/** Returns for how long no mail is sent (ms) after so many failures of the installation in a row. */
export function computeMailRest(failures: number): number {
  return Math.min(longestMailRestMs, firstRestMs * 2 ** (failures - 1));
}
