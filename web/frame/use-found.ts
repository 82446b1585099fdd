import {useQuery} from '@tanstack/react-query';
import {useNavigate} from '@tanstack/react-router';
import {readQuery} from '../api/read.ts';
import type {ShownStandup} from '../api/schema.ts';
import type {PaletteCommand} from '../parts/palette/command.ts';
import {findMembersQuery, findTeamsQuery} from '../parts/search-queries.ts';
import {useDebounced} from '../parts/use-debounced.ts';
import {formatDay} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {matchesTyped} from './matches.ts';

/** The number of people, of teams and of standups that are shown. */
const shownOfEach = 5;
/** Shorter texts are in almost every standup. */
const shortestStandupSearch = 3;
const debounceMs = 150;

interface Found {
  readonly rows: readonly PaletteCommand[];
  readonly isSearching: boolean;
  readonly hasFailed: boolean;
}

/** Finds people, teams and standups by what is typed. `own`: ids of the teams that have commands of their own. */
export function useFound(typed: string, own: ReadonlySet<string>): Found {
  const navigate = useNavigate();
  const q = typed.trim();
  const asked = useDebounced(q, debounceMs);
  const enabled = asked !== '';
  const people = useQuery({...findMembersQuery(asked, shownOfEach), enabled});
  const teams = useQuery({...findTeamsQuery(asked, shownOfEach), enabled});
  const standups = useQuery({
    ...readQuery('listStandups', '/v1/standups', {q: asked, limit: shownOfEach}),
    enabled: asked.length >= shortestStandupSearch,
  });
  const queries = [people, teams, standups];
  if (q === '') return {rows: [], isSearching: false, hasFailed: false};

  const t = texts.palette.found;
  const rows: readonly PaletteCommand[] = [
    ...(people.data?.data ?? []).map(({id, name}) => ({
      label: name,
      about: t.person,
      run: () => void navigate({to: '/people/$member', params: {member: id}}),
    })),
    ...(teams.data?.data ?? [])
      .filter(({id}) => !own.has(id))
      .map(({slug, name}) => ({
        label: name,
        about: t.team,
        run: () => void navigate({to: '/t/$team', params: {team: slug}}),
      })),
  ].filter(({label}) => matchesTyped(label, q));
  const page = asked === q && asked.length >= shortestStandupSearch ? standups.data : undefined;
  const all = {label: t.all({q}), run: () => void navigate({to: '/history', search: {q}})};
  return {
    rows: [
      ...rows,
      ...(page?.data ?? []).map((standup) => ({
        label: showFirstLine(standup),
        about: t.standup({name: standup.author.name, date: formatDay(standup.date)}),
        run: () => void navigate({to: '/history', search: {standup: standup.id}}),
      })),
      // A page may be empty although later pages have rows.
      ...(page !== undefined && (page.has_more || page.data.length > 0) ? [all] : []),
    ],
    isSearching: asked !== q || queries.some(({isFetching}) => isFetching),
    hasFailed: queries.some(({isError}) => isError),
  };
}

function showFirstLine({update}: ShownStandup): string {
  return update.split('\n').find((line) => line.trim() !== '') ?? update;
}
