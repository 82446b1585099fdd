import {useQuery} from '@tanstack/react-query';
import {meQuery, invalidate} from '../api/queries.ts';
import {readQuery} from '../api/read.ts';
import type {Schema} from '../api/schema.ts';
import {getSessionId, signOut} from '../api/session.ts';
import {Badge} from '../parts/badge.tsx';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {ConfirmFirst} from '../parts/confirm-first.tsx';
import {canUsePasskeys, hasFeature} from '../parts/features.ts';
import {Icon} from '../parts/icon.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {formatTimeSince} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {Links} from './links.tsx';
import {Passkeys} from './passkeys.tsx';

const sessionsQuery = readQuery('listTokens', '/v1/tokens', {kind: 'session', limit: 100});

export function SessionsPage() {
  const leave = useAction(() => signOut({everywhere: true}));
  return (
    <>
      <PageHead title={texts.sessions.title} sub={texts.sessions.sub} />
      <ConfirmFirst scope="tokens:manage">
        <SessionList />
        {canUsePasskeys() && <Passkeys />}
        {hasFeature('links') && <Links />}
      </ConfirmFirst>
      <section className="mb-8 flex flex-col items-start gap-2">
        <Button icon="sign-out" kind="danger" onPress={() => void leave.run()} isPending={leave.isPending}>
          {texts.sessions.everywhere}
        </Button>
        <p className="text-xs text-quiet">{texts.sessions.everywhereHint}</p>
        {leave.problem !== undefined && <ProblemNote problem={leave.problem} />}
      </section>
    </>
  );
}

function SessionList() {
  const {data: me} = useQuery(meQuery);
  const {data, error, refetch} = useQuery(sessionsQuery);
  if (data === undefined) {
    return error === null ? <Skeleton lines={4} /> : <ProblemNote onRetry={refetch} problem={error} />;
  }
  return (
    <ul className="mb-6 divide-y divide-line rounded-lg border border-line bg-card">
      {data.data
        .filter(({holder}) => holder.id === me?.principal.id)
        .map((session) => (
          <SessionRow key={session.id} session={session} me={me} />
        ))}
    </ul>
  );
}

interface SessionProps {
  readonly session: Schema<'AccessToken'>;
  readonly me: Schema<'Me'> | undefined;
}

function SessionRow({session, me}: SessionProps) {
  const {id, name, created_at: madeAt, last_used_at: usedAt, created_by: maker} = session;
  const isHere = id === getSessionId();
  const end = useAction(async () => {
    if (isHere) return signOut();
    await send('delete', '/v1/tokens/{token}', {token: id});
    toast({text: texts.sessions.ended({name})});
    await invalidate('access_token');
  });
  return (
    <li className="flex items-start gap-3 px-4 py-3 [&>svg]:mt-0.5 [&>svg]:text-quiet">
      <Icon name="device" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 font-semibold">
          {name}
          {isHere && <Badge tone="posted">{texts.sessions.here}</Badge>}
        </p>
        <p className="text-xs text-quiet">
          {texts.sessions.signedIn({when: formatTimeSince(madeAt)})}
          {maker !== null &&
            maker.id !== me?.principal.id &&
            ` ${texts.sessions.by({name: maker.name ?? maker.id})}`}
          {' · '}
          {usedAt === null ? texts.sessions.notUsed : texts.sessions.used({when: formatTimeSince(usedAt)})}
        </p>
        {end.problem !== undefined && <ProblemNote problem={end.problem} />}
      </div>
      <Button size="small" onPress={() => void end.run()} isPending={end.isPending}>
        {texts.sessions.end}
      </Button>
    </li>
  );
}
