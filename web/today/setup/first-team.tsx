import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import type {Schema} from '../../api/schema.ts';
import {LazyInviteDialog} from '../../parts/invites/invite-button.tsx';
import {ProblemNote} from '../../parts/problem-note.tsx';
import {Skeleton} from '../../parts/skeleton.tsx';
import {Checklist} from './checklist.tsx';
import {setupQuery} from './use-guide.ts';

/** The steps of the first run, for an owner or admin of a workspace without a team. */
export function FirstTeam({me}: {readonly me: Schema<'Me'>}) {
  const {data: setup, error, refetch} = useQuery(setupQuery);
  const [isInviting, setInviting] = useState(false);
  if (error !== null) return <ProblemNote onRetry={refetch} problem={error} />;
  if (setup === undefined) return <Skeleton lines={3} />;
  return (
    <>
      <Checklist isCard={false} me={me} onInvite={() => setInviting(true)} setup={setup} team={undefined} />
      {isInviting && <LazyInviteDialog onClose={() => setInviting(false)} team={undefined} />}
    </>
  );
}
