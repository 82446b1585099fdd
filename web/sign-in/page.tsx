import {useRouter, useSearch} from '@tanstack/react-router';
import {useEffect, useRef, useState} from 'react';
import {Problem} from '../api/problem.ts';
import {forgetSession} from '../api/queries.ts';
import {getToken, lookAtLink, type OfferedLink, signIn} from '../api/session.ts';
import {hear} from '../api/tabs.ts';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {listProviders, placeAfter, providerAddress} from '../parts/sign-in-ways.ts';
import {useTitle} from '../parts/use-title.ts';
import {hasSlack} from '../parts/has-slack.ts';
import {words} from '../words/words.ts';
import {takeLink} from './link.ts';
import styles from './page.module.css';

/** Takes a link, and uses it up only when the button is pressed: nothing that opens it by itself does. */
export function SignInPage() {
  const {to, problem: code, request} = useSearch({from: '/sign-in'});
  const router = useRouter();
  const [link, setLink] = useState(takeLink);
  /** As of now, for what has waited meanwhile. */
  const latest = useRef(link);
  const [offered, setOffered] = useState<OfferedLink>();
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const [isOut, setOut] = useState(false);

  useTitle(words.signIn.title);
  useEffect(() => {
    const onHash = (): void => {
      const next = takeLink();
      if (next === undefined) return;
      latest.current = next;
      setOffered(undefined);
      setLink(next);
    };
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);

  const attempt = async (act: () => Promise<void>): Promise<void> => {
    setProblem(undefined);
    setBusy(true);
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      setProblem(error);
      // Used, over, or never one.
      if (error.status === 401 || error.status === 403) {
        latest.current = undefined;
        setLink(undefined);
      }
    } finally {
      setBusy(false);
    }
  };
  const look = async (): Promise<void> => {
    if (link !== undefined) setOffered(await lookAtLink(link));
  };
  /** A person who has a session after all, by another tab or a provider, goes on. */
  const pass = async (): Promise<void> => {
    try {
      await getToken();
      // A link that was opened meanwhile may be somebody else's.
      if (latest.current !== undefined) return;
      await router.navigate({to: placeAfter(to), replace: true});
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 401) throw error;
      setOut(true);
    }
  };
  useEffect(() => {
    forgetSession();
    if (link === undefined && code === undefined) void attempt(pass);
    // At the beginning: a link that turns out to be none shall be told of.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  useEffect(() => {
    if (link !== undefined) void attempt(look);
    // Once for each link.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [link]);
  // A link opens in a tab of its own; this one goes on where it was.
  useEffect(
    () =>
      hear(({kind}) => {
        if (kind === 'signed-in' && link === undefined) void attempt(pass);
      }),
    // oxlint-disable-next-line react/exhaustive-deps
    [link, to],
  );
  const proceed = (): Promise<void> =>
    attempt(async () => {
      if (link === undefined) return;
      await signIn(link);
      await router.navigate({to: placeAfter(to), replace: true});
    });

  return (
    <main className={styles['page']}>
      <p className={styles['brand']}>
        <span aria-hidden="true" className={styles['logo']} />
        {words.frame.brand}
      </p>
      <section className={styles['card']} aria-live="polite" aria-busy={isBusy}>
        <h1>{problem === undefined && code === undefined ? words.signIn.title : words.signIn.failed}</h1>
        {/* The link is over: its sentence says all, and there is nothing to try again. */}
        {problem !== undefined && link === undefined && <p>{problem.message}</p>}
        {problem !== undefined && link !== undefined && (
          <ProblemNote problem={problem} onRetry={() => void attempt(look)} />
        )}
        {problem === undefined && code !== undefined && link === undefined && (
          <>
            <p>{explain(code)}</p>
            {request !== undefined && (
              <p className={styles['quiet']}>
                {words.parts.requestId} <code>{request}</code>
              </p>
            )}
          </>
        )}
        {link === undefined ? (
          (isOut || code !== undefined || problem !== undefined) && <Ways to={placeAfter(to)} />
        ) : offered === undefined ? (
          problem === undefined && <p>{words.signIn.looking}</p>
        ) : (
          <>
            <p>{words.signIn.to(offered.workspace.name)}</p>
            <Button kind="first" onPress={() => void proceed()} isPending={isBusy}>
              {words.signIn.continueAs(offered.member.name)}
            </Button>
            <p className={styles['quiet']}>{words.signIn.once}</p>
          </>
        )}
      </section>
    </main>
  );
}

/** Anybody may have written the code into the address. */
function explain(code: string): string {
  const {problems} = words.signIn;
  return (Object.hasOwn(problems, code) ? problems[code] : undefined) ?? problems.other;
}

function Ways({to}: {to: string}) {
  const {ways} = words.signIn;
  const providers = listProviders();
  return (
    <>
      {providers.map((provider) => (
        <a key={provider.id} className={styles['provider']} href={providerAddress(provider, to)}>
          {words.signIn.with(provider.name)}
        </a>
      ))}
      {providers.length > 0 && <p className={styles['or']}>{words.signIn.or}</p>}
      <p>{words.signIn.noPassword}</p>
      <h2>{ways.title}</h2>
      <ul className={styles['ways']}>
        {hasSlack() && <li>{ways.slack}</li>}
        <li>{ways.colleague}</li>
        <li>
          {ways.operator}
          <code>{ways.command}</code>
        </li>
      </ul>
    </>
  );
}
