import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import type {Erasure} from '../api/schema.ts';
import {Badge} from '../parts/badge.tsx';
import {Card} from '../parts/card.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {Stamp} from '../parts/stamp.tsx';
import {texts} from '../texts/texts.ts';
import {ListRow} from './list-row.tsx';
import {erasuresQuery} from './queries.ts';

export function Erasures() {
  const {data, error, refetch} = useQuery(erasuresQuery);
  const {erasures: t} = texts.workspace;
  return (
    <Card labelledBy="workspace-erasures">
      <h2 id="workspace-erasures">{t.title}</h2>
      <p className="text-xs text-quiet">
        {t.text} <Link to="/people">{t.people}</Link>
      </p>
      {data === undefined ? (
        error === null ? (
          <Skeleton lines={2} />
        ) : (
          <ProblemNote onRetry={refetch} problem={error} />
        )
      ) : data.data.length === 0 ? (
        <p>{t.none}</p>
      ) : (
        <ul className="divide-y divide-line">
          {data.data.map((erasure) => (
            <ErasureRow erasure={erasure} key={erasure.id} />
          ))}
        </ul>
      )}
    </Card>
  );
}

const tones = {queued: 'expected', running: 'late', failed: 'missed', done: 'posted'} as const;
const states = ['queued', 'running', 'failed', 'done'] as const;
const kinds = [
  'standups',
  'blockers',
  'comments',
  'reactions',
  'absences',
  'team_places',
  'access_tokens',
  'traces',
] as const;

function ErasureRow({erasure}: {readonly erasure: Erasure}) {
  const {erasures: t} = texts.workspace;
  const {created_at: begun, ended_at: ended, erased, left} = erasure;
  const state = states.find((one) => one === erasure.state) ?? 'running';
  const total = (counts: Erasure['erased']) => kinds.reduce((sum, kind) => sum + counts[kind], 0);
  const [done, open] = [total(erased), total(left)];
  const progress = t.progress({erased: done, left: open, all: done + open});
  return (
    <ListRow
      heading={
        <>
          {progress} <Badge tone={tones[state]}>{t.states[state]}</Badge>
        </>
      }
    >
      {state !== 'done' && (
        <progress
          aria-label={progress}
          // Chromium draws its own bar, in the accent colour, only if no rule sets the border.
          className="w-60 max-w-full align-[-0.2em] accent-accent [border:revert]"
          max={Math.max(1, done + open)}
          value={done}
        />
      )}
      <p className="text-xs text-quiet">
        {kinds
          .filter((kind) => erased[kind] > 0)
          .map((kind) => `${t.counts[kind]}: ${erased[kind]}`)
          .join(' · ')}
      </p>
      <p className="text-xs text-quiet">
        {t.begun} <Stamp instant={begun} relative />
        {ended !== null && (
          <>
            {', '}
            {t.ended} <Stamp instant={ended} relative />
          </>
        )}
      </p>
    </ListRow>
  );
}
