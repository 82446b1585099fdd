import {Link, useNavigate} from '@tanstack/react-router';
import type {Me, Member} from '../api/schema.ts';
import {everyTeam} from '../parts/every-team.ts';
import {Segments} from '../parts/segments.tsx';
import {Select} from '../parts/select.tsx';
import {texts} from '../texts/texts.ts';
import type {CalendarSearch, CalendarView} from './search.ts';

const unset = '-';

export function CalendarFilters({
  me,
  people,
  search,
  view,
}: {
  readonly me: Me;
  readonly people: readonly Member[];
  readonly search: CalendarSearch;
  readonly view: CalendarView;
}) {
  const t = texts.calendar;
  const navigate = useNavigate({from: '/calendar'});
  const {team, person} = search;
  const own = me.teams ?? [];
  const choose = (chosen: Pick<CalendarSearch, 'team' | 'person'>): void =>
    void navigate({search: (now) => ({...now, ...chosen}), replace: true});
  const isOther = team !== undefined && team !== everyTeam && !own.some(({slug}) => slug === team);
  const teams = [
    ...(own.length > 0 ? [{id: unset, label: t.mine}] : []),
    ...own.map(({slug, name}) => ({id: slug, label: name})),
    ...(isOther ? [{id: team, label: team}] : []),
    {id: everyTeam, label: t.everyTeam},
  ];
  const known = people.map(({id, name}) => ({id, label: id === me.principal.id ? t.me({name}) : name}));
  const isKnown = person === undefined || known.some(({id}) => id === person);
  return (
    <section
      aria-label={t.filters}
      className="flex flex-wrap items-end gap-3 max-md:[&>div]:min-w-32.5 max-md:[&>div]:flex-[1_1_130px] [&>div]:min-w-[min(140px,100%)] [&>div]:flex-[0_1_200px] [&>nav]:ms-auto"
    >
      <Select
        label={t.team}
        onChange={(chosen) => choose({team: chosen === unset ? undefined : chosen, person: undefined})}
        options={teams}
        value={team ?? unset}
      />
      <Select
        label={t.person}
        onChange={(chosen) => choose({person: chosen === unset ? undefined : chosen})}
        options={[
          {id: unset, label: t.everybody},
          ...(isKnown ? [] : [{id: person, label: t.chosenPerson}]),
          ...known,
        ]}
        value={person ?? unset}
      />
      <Segments label={t.view}>
        {(['month', 'list'] as const).map((one) => (
          <Link
            aria-current={one === view ? 'page' : undefined}
            key={one}
            replace
            search={(now) => ({...now, view: one})}
            to="/calendar"
          >
            {t.views[one]}
          </Link>
        ))}
      </Segments>
    </section>
  );
}
