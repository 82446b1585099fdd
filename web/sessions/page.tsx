import {useQuery, useQueryClient} from '@tanstack/react-query';
import {Problem} from '../api/problem.ts';
import {meQuery} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {currentSession, signOut} from '../api/session.ts';
import {Badge} from '../parts/badge.tsx';
import {Button} from '../parts/button.tsx';
import {Icon} from '../parts/icon.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {listProviders, providerAddress} from '../parts/sign-in-ways.ts';
import {Skeleton} from '../parts/skeleton.tsx';
import {Stamp} from '../parts/stamp.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {formatRelative} from '../words/format.ts';
import {words} from '../words/words.ts';
import {Links} from './links.tsx';
import styles from './page.module.css';
import {endSession, sessionsQuery} from './queries.ts';

export function SessionsPage() {
  const {data: me} = useQuery(meQuery);
  const {data, error} = useQuery(sessionsQuery);
  const needsConfirming = error instanceof Problem && error.status === 403;
  const leave = useAction(() => signOut({everywhere: true}));
  const own = (data?.data ?? []).filter(({holder}) => holder.id === me?.principal.id);
  return (
    <>
      <PageHead title={words.sessions.title} sub={words.sessions.sub} />
      {needsConfirming && <Confirm />}
      {error instanceof Problem && !needsConfirming && <ProblemNote problem={error} />}
      {data === undefined && error === null && <Skeleton lines={4} />}
      {own.length > 0 && (
        <ul className={styles['list']}>
          {own.map((session) => (
            <Session key={session.id} session={session} me={me} />
          ))}
        </ul>
      )}
      <section className={styles['section']}>
        <Button icon="sign-out" kind="danger" onPress={() => void leave.run()} isPending={leave.isPending}>
          {words.sessions.everywhere}
        </Button>
        <p className={styles['hint']}>{words.sessions.everywhereHint}</p>
        {leave.problem !== undefined && <ProblemNote problem={leave.problem} />}
      </section>
      {data !== undefined && me !== undefined && <Links me={me} />}
    </>
  );
}

interface SessionProps {
  readonly session: Schema<'AccessToken'>;
  readonly me: Schema<'Me'> | undefined;
}

function Session({session, me}: SessionProps) {
  const queries = useQueryClient();
  const {id, name, created_at: madeAt, last_used_at: usedAt, created_by: maker} = session;
  const isHere = id === currentSession();
  const end = useAction(async () => {
    if (isHere) return signOut();
    await endSession(id);
    toast({text: words.sessions.ended(name)});
    await queries.invalidateQueries(sessionsQuery);
  });
  return (
    <li className={styles['session']}>
      <Icon name="device" />
      <div className={styles['facts']}>
        <p className={styles['name']}>
          {name}
          {isHere && <Badge tone="posted">{words.sessions.here}</Badge>}
        </p>
        <p className={styles['hint']}>
          {words.sessions.signedIn(formatRelative(madeAt))}
          {maker !== null && maker.id !== me?.principal.id && ` ${words.sessions.by(maker.name ?? maker.id)}`}
          {' · '}
          {usedAt === null ? words.sessions.notUsed : <Stamp instant={usedAt} />}
        </p>
        {end.problem !== undefined && <ProblemNote problem={end.problem} />}
      </div>
      <Button size="small" onPress={() => void end.run()} isPending={end.isPending}>
        {words.sessions.end}
      </Button>
    </li>
  );
}

/** Its power has faded: see docs/decisions/0011. */
function Confirm() {
  const {confirm} = words.sessions;
  const providers = listProviders().filter(({confirms}) => confirms);
  return (
    <section className={styles['confirm']}>
      <h2>{confirm.title}</h2>
      <p>{confirm.text}</p>
      {providers.map((provider) => (
        <a key={provider.id} href={providerAddress(provider, '/sessions', true)}>
          {confirm.with(provider.name)}
        </a>
      ))}
      <p>{confirm.link}</p>
    </section>
  );
}
