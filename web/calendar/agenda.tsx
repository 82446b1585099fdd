import type {Absence} from '../api/schema.ts';
import {Badge} from '../parts/badge.tsx';
import {Card} from '../parts/card.tsx';
import {Empty} from '../parts/empty.tsx';
import {PersonName} from '../parts/person-name.tsx';
import {texts} from '../texts/texts.ts';
import {KindLine} from './kind-icon.tsx';
import {groupByFirstDay, type Thing as ListedThing} from './agenda-groups.ts';
import type {PersonBars} from './bars.ts';
import {formatDateFields} from '../parts/days.ts';
import {formatMonth} from './dates.ts';
import {nameDayOffKind} from './wording.ts';

export interface AgendaProps {
  readonly month: string;
  readonly days: readonly string[];
  readonly rows: readonly PersonBars[];
  readonly today: string;
  readonly me: string;
  readonly onOpen: (absence: Absence) => void;
}

export function Agenda({month, days, rows, today, me, onOpen}: AgendaProps) {
  const groups = groupByFirstDay(rows, days);
  const t = texts.calendar;
  if (groups.length === 0)
    return <Empty icon="calendar" text={t.empty.list} title={t.list.none({month: formatMonth(month)})} />;
  return (
    <Card as="div" padding="none">
      <ol>
        {groups.map(({day, things}) => (
          <li
            className="group grid grid-cols-[64px_minmax(0,1fr)] border-t border-line first:border-t-0 md:grid-cols-[150px_minmax(0,1fr)]"
            data-today={day === today || undefined}
            key={day ?? ''}
          >
            <h2 className="flex flex-col items-start gap-0.5 py-2.5 ps-3 text-xs/4 font-[500] text-quiet md:flex-row md:items-center md:gap-2">
              {day === undefined ? (
                <span>{t.list.before}</span>
              ) : (
                <>
                  <b className="text-[18px]/6 font-semibold text-ink group-data-today:text-accent">
                    {formatDateFields(day, {day: 'numeric'})}
                  </b>
                  <span>{formatDateFields(day, {weekday: 'short'})}</span>
                  {day === today && <Badge tone="posted">{t.isToday}</Badge>}
                </>
              )}
            </h2>
            <ul>
              {things.map((thing) => (
                <AgendaEntry key={thing.key} me={me} onOpen={onOpen} thing={thing} />
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </Card>
  );
}

const entryClass =
  'grid min-h-11 w-full gap-0.5 rounded-lg px-3 py-2.5 text-start md:grid-cols-[minmax(160px,240px)_minmax(0,1fr)] md:items-center md:gap-3';

interface AgendaEntryProps extends Pick<AgendaProps, 'me' | 'onOpen'> {
  readonly thing: ListedThing;
}

function AgendaEntry({thing, me, onOpen}: AgendaEntryProps) {
  const {absence, status, text, span, people} = thing;
  const [first] = people;
  const name = first?.name ?? '';
  const kind = nameDayOffKind(status);
  const inside = (
    <>
      {people.length === 1 || first === undefined ? (
        <PersonName isYou={first?.id === me} name={name} />
      ) : (
        <span>{texts.calendar.list.and({name, more: people.length - 1})}</span>
      )}
      <KindLine status={status}>
        {kind}, {span}
        {text !== null && (
          <>
            {' · '}
            <bdi>{text}</bdi>
          </>
        )}
      </KindLine>
    </>
  );
  if (absence === undefined) return <li className={entryClass}>{inside}</li>;
  return (
    <li>
      <button
        className={`${entryClass} cursor-pointer hover:bg-inset`}
        onClick={() => onOpen(absence)}
        type="button"
      >
        {inside}
      </button>
    </li>
  );
}
