import type {OwnReminder} from './own-reminder.ts';

/** Clocks of people's computers differ from the service's. A reminder so soon (ms) is shown at once. */
const tolerance = 5_000;

/**
 * When a reminder is shown (ms), and whether that is now. Nothing is shown if nothing waits for the person.
 * `planned`: the time for which the tab has waited. Once a mail or Slack has ended a snooze, the service no
 * longer says when that was.
 */
export function planReminder(
  {remind_at: at, teams}: Pick<OwnReminder, 'remind_at' | 'teams'>,
  now: number,
  planned = 0,
): {readonly at: number | undefined; readonly isDue: boolean} {
  if (at === null || teams.length === 0) return {at: undefined, isDue: false};
  const time = Math.max(Date.parse(at), planned <= now + tolerance ? planned : 0);
  return {at: time, isDue: time <= now + tolerance};
}
