import type {Team} from '../../api/schema.ts';
import {formatCity, formatList, formatTime} from '../../texts/format.ts';
import {locale, texts} from '../../texts/texts.ts';

type Schedule = NonNullable<Team['schedule']>;

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** Describes a team's standups for a new member: on which days, at which time, and where to answer. */
export function describeTeam(
  {schedule, timezone, prompt_at: prompt}: Pick<Team, 'schedule' | 'timezone' | 'prompt_at'>,
  {isReminded, zone}: {readonly isReminded: boolean; readonly zone: string},
): readonly string[] {
  const {welcome: say} = texts.setup;
  const where = isReminded ? say.hereOrReminder : say.here;
  if (schedule === null) return [say.anyDay, where];
  const format = (time: string): string => formatTime(`1970-01-01T${time}Z`, 'UTC');
  const isOwn = schedule.clock === 'member' || timezone === zone;
  const times = {
    opens: format(schedule.opens),
    closes: format(schedule.closes),
    city: isOwn ? undefined : formatCity(timezone),
  };
  const isAsked = isReminded && prompt !== 'before_closing';
  return [describeDays(schedule), isAsked ? say.asked(times) : say.open(times), where];
}

function describeDays(schedule: Schedule): string {
  const {welcome: say} = texts.setup;
  if (schedule.frequency === 'monthly') return say.monthly;
  const {days, interval} = schedule;
  const at = weekdays.flatMap((day, index) => (days.includes(day) ? [index] : []));
  const [first = 0] = at;
  const last = at.at(-1) ?? first;
  const isSpan = at.length > 2 && last - first === at.length - 1;
  return say.weekly({
    days: isSpan
      ? say.span({first: nameWeekday(first), last: nameWeekday(last)})
      : say.on({days: formatList(at.map(nameWeekday))}),
    interval,
  });
}

/** The name of a day of the week, counted from Monday: 1 January 2024 was one. */
function nameWeekday(index: number): string {
  const format = new Intl.DateTimeFormat(locale, {weekday: 'long', timeZone: 'UTC'});
  return format.format(Date.UTC(2024, 0, 1 + index));
}
