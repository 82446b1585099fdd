import {Link} from '@tanstack/react-router';
import {useDeferredValue} from 'react';
import {StatusMark} from '../parts/status-mark.tsx';
import {formatDay, formatTime, formatZone, formatTimeWithDay} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {type DayPerson, isFreeDay, listAbsent, type ShownDay} from './day.ts';

const columns =
  'grid-cols-[auto_minmax(0,1fr)_minmax(0,1.4fr)_minmax(120px,auto)] max-sm:grid-cols-[auto_minmax(0,1fr)_auto]';
const border = 'border border-dashed border-[color-mix(in_srgb,var(--color-page),var(--color-edge)_55%)]';
/** In a long list, lines far outside the viewport are neither laid out nor painted. */
const skipped =
  'group-data-many:[contain-intrinsic-block-size:auto_40px] group-data-many:[content-visibility:auto]';
const line = `grid min-h-10 items-center gap-x-3 gap-y-0.5 rounded-lg px-4 py-[7px] max-sm:px-3 ${columns} ${border} ${skipped}`;

/** Lists people who have not posted, one per line, with the reason and their local time. */
export function AbsentPeople(shown: ShownDay) {
  const {day, me, when, now} = shown;
  const own = me?.principal.id;
  const absent = listAbsent(day);
  const rendered = useDeferredValue(absent, absent.slice(0, 12));
  if (absent.length === 0) return null;
  return (
    <section aria-labelledby="not-in">
      <h2 className="mb-2" id="not-in">
        {when === 'ahead' ? texts.today.absent.toCome : texts.today.absent.title}{' '}
        <span className="font-normal text-quiet">{absent.length}</span>
      </h2>
      <ul className="group grid grid-cols-1 gap-1.5" data-many={absent.length > 30 || undefined}>
        {rendered.map((person) => (
          <li className={line} key={person.member.id}>
            <StatusMark status={person.status} />
            <span className="min-w-0 font-medium">
              <Link
                className="text-inherit no-underline underline-offset-3 hover:underline"
                params={{member: person.member.id}}
                to="/people/$member"
              >
                <bdi>{person.member.name}</bdi>
              </Link>
              {person.member.id === own && (
                <span className="font-normal text-quiet"> ({texts.parts.you})</span>
              )}
            </span>
            <span className="min-w-0 text-quiet max-sm:col-[2/-1] max-sm:row-start-2">
              {describeReason(person, shown)}
            </span>
            {when === 'today' && (
              <span
                className="text-end whitespace-nowrap text-quiet"
                title={formatZone(person.timezone, now)}
              >
                {person.member.id === own ? formatTime(now) : formatLocalTime(now, person.timezone)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function describeReason(person: DayPerson, shown: ShownDay): string {
  const {status, reason, until, closes_at, timezone, member} = person;
  const {day, me, now} = shown;
  const isOwn = member.id === me?.principal.id;
  const {absent: say} = texts.today;
  const why = reason ?? undefined;
  switch (status) {
    case 'away':
      return say.away({
        until: until === null ? undefined : formatDay(until, {weekday: 'long', now}),
        reason: why,
      });
    case 'holiday':
      return say.holiday({reason: why});
    case 'skipped':
      return say.skipped({reason: why});
    case 'missed':
      return say.missed;
    case 'unreachable':
      return say.unreachable;
    case 'not_expected':
      return say.not_expected;
    case 'expected':
      return closes_at === null || isFreeDay(shown)
        ? say.may
        : describeUntil(closes_at, day.date, isOwn ? undefined : timezone);
    default:
      return why ?? say.may;
  }
}

function describeUntil(closes: string, date: string, zone: string | undefined): string {
  const {absent: say} = texts.today;
  const [ours, theirs] = [formatTimeWithDay(closes, date), formatTimeWithDay(closes, date, zone)];
  return ours === theirs ? say.expected({time: ours}) : say.expectedTheirs({time: ours, theirs});
}

/** Formats the current time in a zone. Marks it as local time if the viewer's clock shows another time. */
function formatLocalTime(now: number, zone: string): string {
  const time = formatTime(now, zone);
  return time === formatTime(now) ? time : texts.today.absent.there({time});
}
