import {useQuery} from '@tanstack/react-query';
import type {Schema, TeamDay} from '../api/schema.ts';
import {Card} from '../parts/card.tsx';
import {Ring} from '../parts/ring.tsx';
import {texts} from '../texts/texts.ts';
import {listExpectedOrPosted} from './day.ts';
import {useLeadActions} from './lead.tsx';
import {OwnDay} from './own.tsx';
import {nextRunQuery} from './queries.ts';
import {countExpectedOrPosted, describePresence, describeRun, type When} from './describe-run.ts';
import styles from './summary.module.css';
import {ZoneRibbon} from './zone-ribbon.tsx';

/** Shows the state of the day at a glance, and the viewer's remaining tasks. */
export function DaySummary({
  day,
  team,
  own,
  isLead,
  when,
  now,
}: {
  readonly day: TeamDay;
  readonly team: Schema<'Team'> | undefined;
  readonly own: string | undefined;
  readonly isLead: boolean;
  readonly when: When;
  readonly now: number;
}) {
  const hasToCome = when === 'today' && day.run === null && isScheduled(team);
  const {data: next} = useQuery({...nextRunQuery(day.team), enabled: hasToCome});
  const person = day.people.find(({member}) => member.id === own);
  const {counts} = day;
  const counted = listExpectedOrPosted(day);
  const posted = counts.posted + counts.late;
  const all = countExpectedOrPosted(counts);
  const lead = useLeadActions(day, {isPaused: team?.paused === true, now});
  const mayLead = isLead && when === 'today';
  const isOpen = when === 'today' && person !== undefined && person.standups.length === 0;
  return (
    <div className={styles['summary']}>
      <Card as="div">
        <div className={styles['top']}>
          {counted.length > 0 && (
            <Ring
              label={texts.today.ring({posted, all})}
              people={counted.map(({status, member}) => ({status, name: member.name}))}
            >
              <span className={styles['number']}>{posted}</span>
              <span className={styles['of']}>{texts.today.of({all})}</span>
            </Ring>
          )}
          <div className={styles['words']}>
            <p className={styles['presence']}>{describePresence({day, when})}</p>
            <p className={styles['run']}>
              {describeRun({day, team, next, own: person, when, now}).map((piece) => (
                <span key={piece}>{piece}</span>
              ))}
            </p>
            {mayLead && <div className={styles['lead']}>{lead.button}</div>}
          </div>
          {isOpen && <OwnDay day={day} now={now} person={person} team={team} />}
        </div>
        {mayLead && <div className={styles['note']}>{lead.note}</div>}
        <div className={styles['zones']}>
          <ZoneRibbon day={day} now={now} schedule={team?.schedule ?? null} />
        </div>
      </Card>
    </div>
  );
}

function isScheduled(team: Schema<'Team'> | undefined): boolean {
  return team !== undefined && team.schedule !== null && !team.paused;
}
