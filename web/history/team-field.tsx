import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {ComboBox} from '../parts/combo-box.tsx';
import {findTeamsQuery} from '../parts/search-queries.ts';
import {useTeamName} from '../parts/standups/team-name.tsx';
import {texts} from '../texts/texts.ts';

interface TeamFieldProps {
  /** Slug or id of the team; empty for all teams. */
  readonly team: string;
  readonly onChange: (team: string) => void;
}

/** Finds teams by the beginnings of words: a workspace may have more teams than a list can show. */
export function TeamField({team, onChange}: TeamFieldProps) {
  const name = useTeamName(team);
  const [typed, setTyped] = useState('');
  const isSearching = typed !== name;
  const {data, isFetching} = useQuery(findTeamsQuery(isSearching ? typed.trim().slice(0, 100) : '', 50));
  const found = (data?.data ?? [])
    .map(({slug, name: label}) => ({id: slug, label}))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  const slug = data?.data.find(({id}) => id === team)?.slug ?? team;
  const isListed = team === '' || found.some(({id}) => id === slug);
  const {anyTeam, team: label} = texts.history.filters;
  return (
    <ComboBox
      isLoading={isFetching}
      label={label}
      onChange={(id) => onChange(id ?? '')}
      onInputChange={setTyped}
      options={isListed ? found : [{id: slug, label: name}, ...found]}
      placeholder={anyTeam}
      value={team === '' ? null : slug}
    />
  );
}
