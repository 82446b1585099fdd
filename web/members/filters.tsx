import {useQuery} from '@tanstack/react-query';
import {useNavigate} from '@tanstack/react-router';
import {useEffect, useState} from 'react';
import {Select} from '../parts/select.tsx';
import {teamsQuery} from '../parts/standups/team-name.tsx';
import {texts} from '../texts/texts.ts';
import {type MembersSearch, type Role, roles} from './search.ts';

const any = '-';
const pause = 250;

export function MemberFilters({search}: {readonly search: MembersSearch}) {
  const t = texts.members;
  const navigate = useNavigate({from: '/people'});
  const teams = useQuery(teamsQuery).data?.data ?? [];
  const [q, setQ] = useState(search.q ?? '');
  const {team, role} = search;
  useEffect(() => {
    const wanted = q.trim() || undefined;
    if (wanted === search.q) return undefined;
    const timer = setTimeout(
      () => void navigate({search: (now) => ({...now, q: wanted}), replace: true}),
      pause,
    );
    return () => clearTimeout(timer);
  }, [q, search.q, navigate]);
  const choose = (chosen: Partial<Pick<MembersSearch, 'team' | 'role'>>): void =>
    void navigate({search: (now) => ({...now, ...chosen}), replace: true});
  const isListed = team === undefined || teams.some(({slug}) => slug === team);
  return (
    <section
      aria-label={t.filters}
      className="grid grid-cols-[minmax(0,2fr)_repeat(2,minmax(0,1fr))] items-start gap-3 max-md:grid-cols-2"
    >
      <label className="grid gap-1 text-sm font-medium max-md:col-span-full">
        {t.search}
        <input
          autoComplete="off"
          className="min-h-row w-full rounded-md border border-edge bg-card px-3 py-1 text-base font-normal placeholder:text-quiet"
          data-search=""
          maxLength={100}
          onChange={({target}) => setQ(target.value)}
          placeholder={t.searchHint}
          type="search"
          value={q}
        />
      </label>
      <Select
        label={t.team}
        onChange={(chosen) => choose({team: chosen === any ? undefined : chosen})}
        options={[
          {id: any, label: t.anyTeam},
          ...teams.map(({slug, name}) => ({id: slug, label: name})),
          ...(isListed ? [] : [{id: team, label: team}]),
        ]}
        value={team ?? any}
      />
      <Select<Role | typeof any>
        label={t.role}
        onChange={(chosen) => choose({role: chosen === any ? undefined : chosen})}
        options={[{id: any, label: t.anyRole}, ...roles.map((id) => ({id, label: t.roles[id]}))]}
        value={role ?? any}
      />
    </section>
  );
}
