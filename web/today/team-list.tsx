import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {useDeferredValue, useId, useState} from 'react';
import {meQuery} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {Icon} from '../parts/icon.tsx';
import {PrivateMark} from '../parts/private-mark.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {texts} from '../texts/texts.ts';
import {teamsQuery} from './queries.ts';

export function TeamList({current, onChoose}: {readonly current: string; readonly onChoose: () => void}) {
  const {data: me} = useQuery(meQuery);
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const {data, error} = useQuery(teamsQuery(q));
  const wanted = typed.trim().toLowerCase();
  const own = (me?.teams ?? []).filter(
    ({name, slug}) => name.toLowerCase().includes(wanted) || slug.includes(wanted),
  );
  const others = (data?.data ?? []).filter(({id}) => me?.teams?.every((one) => one.id !== id));
  const {team} = texts.today;
  return (
    <>
      <input
        aria-label={team.find}
        autoComplete="off"
        autoFocus
        className="h-row w-full rounded-md border border-edge bg-card px-3 focus-visible:outline-offset-0"
        maxLength={100}
        onChange={({target}) => setTyped(target.value)}
        placeholder={team.find}
        spellCheck={false}
        type="search"
        value={typed}
      />
      {own.length > 0 && <Teams current={current} label={team.own} onChoose={onChoose} teams={own} />}
      {others.length > 0 && (
        <Teams current={current} label={team.others} onChoose={onChoose} teams={others} />
      )}
      {error !== null && <ProblemNote problem={error} />}
      {data !== undefined && own.length + others.length === 0 && (
        <p className="mx-3 my-2 text-quiet">{team.none}</p>
      )}
    </>
  );
}

interface TeamsProps {
  readonly label: string;
  readonly teams: readonly Pick<Schema<'Team'>, 'id' | 'slug' | 'name' | 'visibility'>[];
  readonly current?: string;
  readonly onChoose?: () => void;
}

export function Teams({label, teams, current, onChoose}: TeamsProps) {
  const id = useId();
  return (
    <div className="mt-2">
      <p className="px-3 py-1 text-xs text-quiet" id={id}>
        {label}
      </p>
      <ul aria-labelledby={id}>
        {teams.map(({id: key, slug, name, visibility}) => (
          <li key={key}>
            <Link
              aria-current={slug === current ? 'true' : undefined}
              className="flex min-h-row items-center justify-between gap-2 rounded-md px-3 py-1.5 text-ink no-underline hover:bg-inset *:[svg]:flex-none *:[svg]:text-accent"
              onClick={() => onChoose?.()}
              params={{team: slug}}
              to="/t/$team"
            >
              <span className="min-w-0 grow">
                <bdi>{name}</bdi> {visibility === 'private' && <PrivateMark />}
              </span>
              {slug === current && <Icon name="check" size={16} />}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
