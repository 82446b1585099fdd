import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {meQuery} from '../api/queries.ts';
import {ComboBox} from '../parts/combo-box.tsx';
import {Icon} from '../parts/icon.tsx';
import {Initials} from '../parts/initials.tsx';
import type {Option} from '../parts/option.tsx';
import {mayUse} from '../parts/rights.ts';
import {findMembersQuery, findTeamsQuery} from '../parts/search-queries.ts';
import {texts} from '../texts/texts.ts';
import {useEventNames} from './use-names.ts';

const most = 25;

interface FieldProps {
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}

/** Filter by actor. People choose a service account or token at one of its events instead. */
export function ActorField({value, onChange}: FieldProps) {
  const t = texts.events;
  const found = useSubjectSearch(value);
  const others = [
    {id: 'system', label: t.service, mark: <Icon name="clock" size={16} />},
    {id: 'operator', label: t.operator, mark: <Icon name="settings" size={16} />},
  ].filter(({label}) => label.toLowerCase().includes(found.q.toLowerCase()));
  return (
    <SubjectSearchField
      {...{value, onChange, found}}
      label={t.filters.actor}
      options={[...found.people, ...others]}
      placeholder={t.filters.anybody}
    />
  );
}

/** Filter by team or member. People choose any other object at one of its events instead. */
export function AboutField({value, onChange}: FieldProps) {
  const t = texts.events.filters;
  const found = useSubjectSearch(value);
  const {data: teams} = useQuery(findTeamsQuery(found.q, most));
  const ofTeams = (teams?.data ?? []).map(({id, name}) => ({
    id,
    label: t.team({name}),
    mark: <Icon name="people" size={16} />,
  }));
  return (
    <SubjectSearchField
      {...{value, onChange, found}}
      label={t.about}
      options={[...ofTeams, ...found.people]}
      placeholder={t.anything}
    />
  );
}

function useSubjectSearch(value: string | undefined) {
  const mayList = mayUse(useQuery(meQuery).data, 'members:read');
  const names = useEventNames([]);
  const [typed, setTyped] = useState('');
  const t = texts.events;
  const special = value === 'system' ? t.service : value === 'operator' ? t.operator : undefined;
  const team = value === undefined ? undefined : names.team(value);
  const name =
    value === undefined
      ? ''
      : (special ?? (team === undefined ? names.of(value) : t.filters.team({name: team})) ?? value);
  const q = typed === name ? '' : typed.trim().slice(0, 100);
  const {data, isFetching} = useQuery({...findMembersQuery(q, most), enabled: mayList});
  const people = (data?.data ?? []).map((member) => ({
    id: member.id,
    label: member.name,
    mark: <Initials name={member.name} />,
  }));
  return {q, name, people, isFetching, setTyped};
}

interface SearchResultsProps extends FieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly options: readonly Option[];
  readonly found: ReturnType<typeof useSubjectSearch>;
}

/** A search field whose selected item stays an option even when the search does not find the item. */
function SubjectSearchField({value, onChange, label, placeholder, options, found}: SearchResultsProps) {
  const isListed = value === undefined || options.some(({id}) => id === value);
  return (
    <ComboBox
      isLoading={found.isFetching}
      label={label}
      onChange={(id) => onChange(id ?? undefined)}
      onInputChange={found.setTyped}
      options={isListed ? options : [{id: value, label: found.name}, ...options]}
      placeholder={placeholder}
      value={value ?? null}
    />
  );
}
