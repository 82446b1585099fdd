import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import type {Schema} from '../api/schema.ts';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {StandupText} from '../parts/standup-text.tsx';
import {formatMoment} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {revisionsQuery} from './queries.ts';
import styles from './write.module.css';

/** Earlier versions of a standup, loaded when the viewer opens them. */
export function EarlierVersions({standup}: {readonly standup: Schema<'ShownStandup'>}) {
  const [isOpen, setOpen] = useState(false);
  if (standup.revision === 1) return null;
  return (
    <details className={styles['earlier']} onToggle={({currentTarget}) => setOpen(currentTarget.open)}>
      <summary>{texts.write.earlier}</summary>
      {isOpen && <VersionList id={standup.id} />}
    </details>
  );
}

function VersionList({id}: {readonly id: string}) {
  const {data, error, refetch} = useQuery(revisionsQuery(id));
  if (error !== null) return <ProblemNote onRetry={() => void refetch()} problem={error} />;
  if (data === undefined) return <Skeleton lines={3} />;
  return (
    <ol>
      {data.map(({id: version, revision, update, updated_at}) => (
        <li className={styles['version']} key={version}>
          <p className={`${styles['quiet']} ${styles['small']}`}>
            {texts.write.version({number: revision})} · {formatMoment(updated_at)}
          </p>
          <StandupText text={update} />
        </li>
      ))}
    </ol>
  );
}
