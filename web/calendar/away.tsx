import {useQuery} from '@tanstack/react-query';
import type {Member} from '../api/schema.ts';
import {PersonName} from '../parts/person-name.tsx';
import {texts} from '../texts/texts.ts';
import {KindLine} from './kind-icon.tsx';
import {buildDayOffBars} from './bars.ts';
import {addDays} from '../parts/days.ts';
import {findWeek} from './dates.ts';
import {absencesQuery, holidaysQuery, type TeamSlugs} from './queries.ts';
import {nameDayOffKind} from './wording.ts';
import {formatDay, formatSpan} from '../texts/format.ts';

/** Maximum number of people named here; the month view shows everyone. */
const most = 12;

const boxClass = 'grid content-start gap-1 rounded-lg border border-line bg-card px-3 py-2.5';

export function AwayThisWeek({
  teams,
  people,
  today,
  me,
}: {
  readonly teams: TeamSlugs;
  readonly people: readonly Member[];
  readonly today: string;
  readonly me: string;
}) {
  const t = texts.calendar.thisWeek;
  const {from, until} = findWeek(today);
  const {data} = useQuery(absencesQuery(teams, from, until));
  const {data: holidays = new Map()} = useQuery(holidaysQuery(teams, from, until));
  if (data === undefined) return null;
  const days = Array.from({length: 7}, (_, i) => addDays(from, i));
  const rows = buildDayOffBars(people, data.rows, holidays, days).filter(({bars}) => bars.length > 0);
  return (
    <section aria-labelledby="away-this-week" className="grid gap-2">
      <h2 id="away-this-week">{t.title}</h2>
      {rows.length === 0 ? (
        <p className="text-quiet">{t.none}</p>
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(260px,100%),1fr))] gap-2">
          {rows.slice(0, most).map(({person, bars}) => (
            <li className={boxClass} key={person.id}>
              <PersonName isYou={person.id === me} name={person.name} />
              {bars.map(({key, status, absence, text, first, last}) => (
                <KindLine key={key} status={status}>
                  {absence === undefined
                    ? `${text}, ${formatHolidayDays(days[first], days[last])}`
                    : `${nameDayOffKind(status)}, ${formatSpan(absence.from, absence.until)}`}
                </KindLine>
              ))}
            </li>
          ))}
          {rows.length > most && <li className={boxClass}>{t.more({more: rows.length - most})}</li>}
        </ul>
      )}
    </section>
  );
}

function formatHolidayDays(from = '', until = ''): string {
  return from === until ? formatDay(from, {weekday: 'short'}) : formatSpan(from, until);
}
