import {useQuery} from '@tanstack/react-query';
import {useLocation} from '@tanstack/react-router';
import {type ReactNode, useState} from 'react';
import {meQuery, queryClient} from '../api/queries.ts';
import {getScopeExpiry} from '../api/session.ts';
import {formatTime} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {Empty} from './empty.tsx';
import {mayUse, managesWorkspace} from './rights.ts';
import {Skeleton} from './skeleton.tsx';
import {useNow} from './use-now.ts';
import {Ways} from './ways/ways.tsx';

/** Time (ms) before the elevated scope ends at which the page starts to warn. */
const warning = 120_000;

/**
 * Shows its children while the session has an elevated scope. Otherwise explains how the person can confirm
 * their identity (docs/decisions/0011). Waits until the signed-in member is known, since the children may
 * show that member's drafts.
 */
export function ConfirmFirst({
  scope,
  children,
}: {
  readonly scope: 'tokens:manage' | 'workspace:manage';
  readonly children: ReactNode;
}) {
  const {data: me} = useQuery(meQuery);
  const now = useNow(1_000);
  const [wasHeld, setHeld] = useState(false);
  const {confirm} = texts.sessions;
  if (me === undefined) return <Skeleton lines={4} />;
  if (scope === 'workspace:manage' && !managesWorkspace(me)) {
    return <Empty icon="key" text={confirm.notYoursText} title={confirm.notYours} />;
  }
  const until = getScopeExpiry(scope);
  const isHeld = until === undefined ? mayUse(me, scope) : now < until;
  if (isHeld && !wasHeld) setHeld(true);
  if (!isHeld) return <Confirm isOver={wasHeld} />;
  return (
    <>
      {until !== undefined && until - now < warning && (
        <p className="mb-4 rounded-lg bg-inset px-3 py-2" role="status">
          {confirm.confirmAgainAt({time: formatTime(until)})}
        </p>
      )}
      {children}
    </>
  );
}

function Confirm({isOver}: {readonly isOver: boolean}) {
  const {href} = useLocation();
  const {confirm} = texts.sessions;
  return (
    <section
      className="mb-8 flex flex-col items-start gap-2 rounded-lg border border-line bg-card p-4"
      role={isOver ? 'status' : undefined}
    >
      <h2>{isOver ? confirm.again : confirm.title}</h2>
      <p>{isOver ? confirm.over : confirm.text}</p>
      <Ways confirms onSignedIn={() => void queryClient.invalidateQueries()} to={href} />
    </section>
  );
}
