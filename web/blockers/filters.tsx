import {Link, useNavigate} from '@tanstack/react-router';
import type {Blocker, Schema} from '../api/schema.ts';
import {everyTeam} from '../parts/every-team.ts';
import {Segments} from '../parts/segments.tsx';
import {Select} from '../parts/select.tsx';
import {texts} from '../texts/texts.ts';
import {listAuthors} from './authors.ts';
import {type BlockersSearch, blockerStates} from './search.ts';

const mine = '-';
const anyone = '-';

export function BlockerFilters({
  me,
  rows,
  search,
}: {
  readonly me: Schema<'Me'>;
  readonly rows: readonly Blocker[];
  readonly search: BlockersSearch;
}) {
  const t = texts.blockers;
  const navigate = useNavigate({from: '/blockers'});
  const {team, state = 'open', author} = search;
  const own = me.teams ?? [];
  const choose = (chosen: Partial<Record<'team' | 'author', string | undefined>>): void =>
    void navigate({search: (now) => ({...now, ...chosen}), replace: true});
  const teams = [
    ...(own.length > 0 ? [{id: mine, label: t.mine}] : []),
    ...own.map(({slug, name}) => ({id: slug, label: name})),
    ...(team === undefined || team === everyTeam || own.some(({slug}) => slug === team)
      ? []
      : [{id: team, label: team}]),
    {id: everyTeam, label: t.everyTeam},
  ];
  return (
    <section
      aria-label={t.filters}
      className="flex flex-wrap items-end gap-3 [&>nav]:me-auto [&>:not(nav)]:grow-0 [&>:not(nav)]:basis-50 [&>:not(nav)]:min-w-[min(140px,100%)] max-md:[&>:not(nav)]:grow max-md:[&>:not(nav)]:basis-[130px] max-md:[&>:not(nav)]:min-w-[130px]"
    >
      <Segments label={t.state}>
        {blockerStates.map((one) => (
          <Link
            aria-current={one === state ? 'page' : undefined}
            key={one}
            replace
            search={(now) => ({...now, state: one})}
            to="/blockers"
          >
            {t.states[one]}
          </Link>
        ))}
      </Segments>
      <Select
        label={t.team}
        onChange={(chosen) => choose({team: chosen === mine ? undefined : chosen})}
        options={teams}
        value={team ?? mine}
      />
      <Select
        label={t.author}
        onChange={(chosen) => choose({author: chosen === anyone ? undefined : chosen})}
        options={[{id: anyone, label: t.anyone}, ...listAuthors(rows, me, author)]}
        value={author ?? anyone}
      />
    </section>
  );
}
