import {useQuery} from '@tanstack/react-query';
import type {Schema} from '../api/schema.ts';
import {Card} from '../parts/card.tsx';
import {Ring} from '../parts/ring.tsx';
import {texts} from '../texts/texts.ts';
import {listExpectedOrPosted, type ShownDay} from './day.ts';
import {useLeadActions} from './lead.tsx';
import {OwnDay} from './own.tsx';
import {nextRunQuery} from './queries.ts';
import {countExpectedOrPosted, describePresence, describeRun} from './describe-run.ts';
import {ZoneRibbon} from './zone-ribbon.tsx';

export function DaySummary(shown: ShownDay) {
  const {day, team, me, isLead, when, now} = shown;
  const hasToCome = when === 'today' && day.run === null && isScheduled(team);
  const {data: next} = useQuery({...nextRunQuery(day.team), enabled: hasToCome});
  const person = day.people.find(({member}) => member.id === me?.principal.id);
  const {counts} = day;
  const counted = listExpectedOrPosted(day);
  const posted = counts.posted + counts.late;
  const all = countExpectedOrPosted(counts);
  const lead = useLeadActions(day, {isPaused: team?.paused === true, now});
  const mayLead = isLead && when === 'today';
  const isOpen = when === 'today' && person !== undefined && person.standups.length === 0;
  return (
    <div className="mb-6">
      <Card as="div">
        <div className="flex flex-wrap items-center gap-x-7 gap-y-5 max-sm:gap-x-5 max-sm:gap-y-4 max-sm:[--ring:88px]">
          {counted.length > 0 && (
            <Ring
              label={texts.today.ring({posted, all})}
              people={counted.map(({status, member}) => ({status, name: member.name}))}
            >
              <span className="text-[32px]/8 font-bold tracking-[-0.02em] max-sm:text-[24px]/6">
                {posted}
              </span>
              <span className="text-xs text-quiet">{texts.today.of({all})}</span>
            </Ring>
          )}
          <div className="min-w-0 grow basis-55 max-sm:basis-40">
            <p className="text-[20px]/7 font-bold tracking-[-0.01em]">{describePresence(shown)}</p>
            <p className="min-h-5 text-balance text-quiet first-letter:uppercase">
              {describeRun({...shown, next, own: person}).map((piece) => (
                <span className="not-last:after:content-['_·_']" key={piece}>
                  {piece}
                </span>
              ))}
            </p>
            {mayLead && <div className="not-empty:mt-3">{lead.button}</div>}
          </div>
          {isOpen && <OwnDay {...shown} person={person} />}
        </div>
        {mayLead && <div className="not-empty:mt-4">{lead.note}</div>}
        <div className="border-line not-empty:mt-5 not-empty:border-t not-empty:pt-4">
          <ZoneRibbon day={day} now={now} schedule={team?.schedule ?? null} />
        </div>
      </Card>
    </div>
  );
}

function isScheduled(team: Schema<'Team'> | undefined): boolean {
  return team !== undefined && team.schedule !== null && !team.paused;
}
