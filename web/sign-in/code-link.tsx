import {signInByCode} from '../api/sign-in.ts';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {useAction} from '../parts/use-action.ts';
import {explainCodeProblem} from '../parts/ways/enter-code.tsx';
import {formatCode, keepWorkspace, type MailedCode} from '../parts/ways/mailed-code.ts';
import {texts} from '../texts/texts.ts';

interface CodeLinkProps {
  readonly mailed: MailedCode;
  readonly onSignedIn: () => void;
  /** Called to sign in otherwise, when the code is refused. */
  readonly onRefused: () => void;
}

/**
 * Shows the code that the link in a mail carries, for this device or another one. Only a button uses it, so
 * that software that opens links does not.
 */
export function CodeLink({mailed, onSignedIn, onRefused}: CodeLinkProps) {
  const t = texts.signIn.mail;
  const {run, isPending, problem} = useAction(async () => {
    await signInByCode(mailed);
    keepWorkspace(mailed);
    onSignedIn();
  });
  const refusal = problem && explainCodeProblem(problem);
  if (refusal !== undefined) {
    return (
      <>
        <p role="alert">{refusal}</p>
        <div>
          <Button kind="first" onPress={onRefused}>
            {t.getNew}
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      <p className="wrap-anywhere">{t.as({email: mailed.email})}</p>
      {problem !== undefined && <ProblemNote onRetry={() => void run()} problem={problem} />}
      <Button isPending={isPending} kind="first" onPress={() => void run()}>
        {texts.signIn.title}
      </Button>
      <p className="text-quiet">{t.otherDevice}</p>
      <p className="text-center font-mono text-[28px]/9 tracking-wider">{formatCode(mailed.code)}</p>
    </>
  );
}
