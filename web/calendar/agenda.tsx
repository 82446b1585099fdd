import type {Absence} from '../api/schema.ts';
import {Badge} from '../parts/badge.tsx';
import {Card} from '../parts/card.tsx';
import {Empty} from '../parts/empty.tsx';
import {PersonName} from '../parts/person-name.tsx';
import {texts} from '../texts/texts.ts';
import {KindIcon} from './kind-icon.tsx';
import styles from './agenda.module.css';
import {groupByFirstDay, type Thing as ListedThing} from './agenda-groups.ts';
import type {PersonBars} from './bars.ts';
import {formatDateFields} from '../parts/days.ts';
import {formatMonth} from './dates.ts';
import {nameDayOffKind} from './wording.ts';

interface AgendaProps {
  readonly month: string;
  readonly days: readonly string[];
  readonly rows: readonly PersonBars[];
  readonly today: string;
  readonly me: string;
  readonly onOpen: (absence: Absence) => void;
}

/** Shows the month as a list of absences and holidays, by first day. */
export function Agenda({month, days, rows, today, me, onOpen}: AgendaProps) {
  const groups = groupByFirstDay(rows, days);
  const t = texts.calendar;
  if (groups.length === 0)
    return <Empty icon="calendar" text={t.empty.list} title={t.list.none({month: formatMonth(month)})} />;
  return (
    <Card as="div" padding="none">
      <ol className={styles['groups']}>
        {groups.map(({day, things}) => (
          <li className={styles['group']} data-today={day === today || undefined} key={day ?? ''}>
            <h2 className={styles['day']}>
              {day === undefined ? (
                <span>{t.list.before}</span>
              ) : (
                <>
                  <b>{formatDateFields(day, {day: 'numeric'})}</b>
                  <span>{formatDateFields(day, {weekday: 'short'})}</span>
                  {day === today && <Badge tone="posted">{t.isToday}</Badge>}
                </>
              )}
            </h2>
            <ul className={styles['things']}>
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

function AgendaEntry({
  thing,
  me,
  onOpen,
}: {
  readonly thing: ListedThing;
  readonly me: string;
  readonly onOpen: (absence: Absence) => void;
}) {
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
      <span className={styles['what']}>
        <KindIcon status={status} />
        <span>
          {kind}, {span}
          {text !== null && (
            <>
              {' · '}
              <bdi>{text}</bdi>
            </>
          )}
        </span>
      </span>
    </>
  );
  if (absence === undefined) return <li className={styles['thing']}>{inside}</li>;
  return (
    <li>
      <button className={styles['thing']} onClick={() => onOpen(absence)} type="button">
        {inside}
      </button>
    </li>
  );
}
