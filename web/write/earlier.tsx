import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import type {Schema} from '../api/schema.ts';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {StandupText} from '../parts/standup-text.tsx';
import {formatMoment} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {revisionsQuery} from './queries.ts';

export function EarlierVersions({standup}: {readonly standup: Schema<'ShownStandup'>}) {
  const [isOpen, setOpen] = useState(false);
  if (standup.revision === 1) return null;
  return (
    <details onToggle={({currentTarget}) => setOpen(currentTarget.open)}>
      <summary className="min-h-6 cursor-pointer text-quiet">{texts.write.earlier}</summary>
      {isOpen && <VersionList id={standup.id} />}
    </details>
  );
}

function VersionList({id}: {readonly id: string}) {
  const {data, error, refetch} = useQuery(revisionsQuery(id));
  if (error !== null) return <ProblemNote onRetry={() => void refetch()} problem={error} />;
  if (data === undefined) return <Skeleton lines={3} />;
  return (
    <ol className="mt-3 grid gap-3">
      {data.map(({id: version, revision, update, format, updated_at}) => (
        <li className="min-w-0 rounded-lg border border-line p-3" key={version}>
          <p className="text-xs text-quiet">
            {texts.write.version({number: revision})} · {formatMoment(updated_at)}
          </p>
          <StandupText format={format} text={update} />
        </li>
      ))}
    </ol>
  );
}
