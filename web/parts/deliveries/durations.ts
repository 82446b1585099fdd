import {
  formatAge,
  formatDay,
  formatNumber,
  formatTime,
  dateInZone,
  type Instant,
} from '../../texts/format.ts';
import {texts} from '../../texts/texts.ts';

/** Formats a duration, such as `<1 ms`, `81 ms`, `1.2 s`, `40 s` or `5 min`. */
export function formatDuration(ms: number): string {
  const {units} = texts.webhooks;
  if (ms < 0.5) return units.ms({amount: '<1'});
  if (ms < 1_000) return units.ms({amount: formatNumber(Math.round(ms))});
  if (ms < 120_000)
    return units.s({amount: formatNumber(ms / 1_000, {maximumFractionDigits: ms < 10_000 ? 1 : 0})});
  return formatAge(Math.round(ms / 60_000) * 60_000);
}

/** Formats a future time, such as `in 40 s`; `now` once the time has passed. */
export function formatAhead(instant: Instant, now: number): string {
  const ms = new Date(instant).getTime() - now;
  return ms < 500 ? texts.parts.now : texts.parts.ahead({age: formatDuration(Math.ceil(ms / 1_000) * 1_000)});
}

/** Formats a time: `09:00` today, `20 Nov, 09:00` on another day. */
export function formatWhen(instant: Instant, now: number): string {
  const day = dateInZone(instant);
  const time = formatTime(instant);
  return day === dateInZone(now) ? time : texts.webhooks.dayAt({day: formatDay(day, {now}), time});
}
