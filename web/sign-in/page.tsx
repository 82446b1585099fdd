import {useRouter, useSearch} from '@tanstack/react-router';
import {useEffect, useRef, useState} from 'react';
import {hasDrafts} from '../api/drafts.ts';
import {Problem} from '../api/problem.ts';
import {clearSessionData} from '../api/queries.ts';
import {getToken, hadSession} from '../api/session.ts';
import {fetchSignInLink, type OfferedLink, signIn} from '../api/sign-in.ts';
import {onTabMessage} from '../api/tabs.ts';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {choosePathAfterSignIn} from '../parts/sign-in-ways.ts';
import {readMailedCode} from '../parts/ways/mailed-code.ts';
import {useTitle} from '../parts/use-title.ts';
import {Ways} from '../parts/ways/ways.tsx';
import {findText, texts} from '../texts/texts.ts';
import {Logo} from '../parts/logo.tsx';
import {takeLink} from '../parts/take-link.ts';
import {CodeLink} from './code-link.tsx';

/** Only a button press redeems the link, so that software that opens links does not use it up. */
export function SignInPage() {
  const {to, problem: code, request} = useSearch({from: '/sign-in'});
  const router = useRouter();
  const [link, setLink] = useState(takeLink);
  /** The current link, for code that runs after an `await`, when `link` may be outdated. */
  const latest = useRef(link);
  const [offered, setOffered] = useState<OfferedLink>();
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const [isOut, setOut] = useState(false);
  const mailed = readMailedCode(link);

  useTitle(texts.signIn.title);
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
      // The service refuses the link: it was used before, has expired or is invalid.
      if (error.status === 401 || error.status === 403) {
        latest.current = undefined;
        setLink(undefined);
      }
    } finally {
      setBusy(false);
    }
  };
  const look = async (): Promise<void> => {
    if (link !== undefined) setOffered(await fetchSignInLink(link));
  };
  /** Opens the app if the person is already signed in, through another tab or a provider. */
  const pass = async (): Promise<void> => {
    try {
      await getToken();
      // A link that was opened in the meantime may be for another person, so stay on this page.
      if (latest.current !== undefined) return;
      await router.navigate({to: choosePathAfterSignIn(to), replace: true});
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 401) throw error;
      setOut(true);
    }
  };
  useEffect(() => {
    clearSessionData();
    if (link === undefined && code === undefined) void attempt(pass);
    // Run this only when the page opens. A later run would hide the problem of an invalid link.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  useEffect(() => {
    if (link !== undefined && readMailedCode(link) === undefined) void attempt(look);
    // Runs only once for each link.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [link]);
  // A sign-in link opens in a tab of its own. Once it has signed in, this tab opens the wanted page.
  useEffect(
    () =>
      onTabMessage(({kind}) => {
        if (kind === 'signed-in' && link === undefined) void attempt(pass);
      }),
    // oxlint-disable-next-line react/exhaustive-deps
    [link, to],
  );
  const dropLink = (): void => {
    latest.current = undefined;
    setLink(undefined);
    void attempt(pass);
  };
  const proceed = (): Promise<void> =>
    attempt(async () => {
      if (link === undefined) return;
      await signIn(link);
      await router.navigate({to: choosePathAfterSignIn(to), replace: true});
    });

  return (
    <main className="mx-auto w-full max-w-card px-4 pt-[max(24px,12vh)] pb-8">
      <p className="mb-4 flex items-center gap-2 text-lg/5 font-bold">
        <Logo />
        {texts.frame.brand}
      </p>
      <section
        className="flex flex-col gap-4 rounded-xl border border-line bg-card p-6"
        aria-live="polite"
        aria-busy={isBusy}
      >
        <h1>{problem === undefined && code === undefined ? texts.signIn.title : texts.signIn.failed}</h1>
        {isOut && link === undefined && hadSession() && (
          <p>
            {texts.signIn.ended} {hasDrafts() && texts.signIn.draft}
          </p>
        )}
        {/* An invalid link shows only its message, since a retry would not help. */}
        {problem !== undefined && link === undefined && <p>{problem.message}</p>}
        {problem !== undefined && link !== undefined && (
          <ProblemNote problem={problem} onRetry={() => void attempt(look)} />
        )}
        {problem === undefined && code !== undefined && link === undefined && (
          <>
            <p>{explainProblem(code)}</p>
            {request !== undefined && (
              <p className="text-quiet">
                {texts.parts.requestId} <code>{request}</code>
              </p>
            )}
          </>
        )}
        {link === undefined ? (
          (isOut || code !== undefined || problem !== undefined) && (
            <Ways confirms={false} onSignedIn={() => void attempt(pass)} to={choosePathAfterSignIn(to)} />
          )
        ) : mailed !== undefined ? (
          <CodeLink key={link} mailed={mailed} onRefused={dropLink} onSignedIn={dropLink} />
        ) : offered === undefined ? (
          problem === undefined && <p>{texts.signIn.looking}</p>
        ) : (
          <>
            <p>{texts.signIn.to({workspace: offered.workspace.name})}</p>
            <Button kind="first" onPress={() => void proceed()} isPending={isBusy}>
              {texts.signIn.continueAs({name: offered.member.name})}
            </Button>
            <p className="text-quiet">{texts.signIn.once}</p>
          </>
        )}
      </section>
    </main>
  );
}

/** Explains a problem code from the address, which may contain any code. */
function explainProblem(code: string): string {
  const {problems} = texts.signIn;
  return findText(problems, code) ?? problems.other;
}
