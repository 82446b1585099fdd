import {useState} from 'react';
import {Problem} from '../../api/problem.ts';
import {askForCode} from '../../api/sign-in.ts';
import {texts} from '../../texts/texts.ts';
import {Button} from '../button.tsx';
import {Form} from '../form.tsx';
import {ProblemNote} from '../problem-note.tsx';
import {TextField} from '../text-field.tsx';
import {useAction} from '../use-action.ts';
import {EnterCode} from './enter-code.tsx';
import {type CodeSubject, readKeptWorkspace} from './mailed-code.ts';
import type {WayProps} from './way.ts';

/** Mails a code, and signs in with it. Confirming needs no address, since the service knows it. */
export function MailWay({confirms, onSignedIn}: WayProps) {
  const t = texts.signIn.mail;
  const [email, setEmail] = useState('');
  const [workspace, setWorkspace] = useState(readKeptWorkspace);
  const [asked, setAsked] = useState<CodeSubject>();
  const subject: CodeSubject = confirms
    ? {}
    : {email: email.trim(), ...(workspace !== undefined && {workspace: workspace.trim()})};
  const {run, isPending, problem} = useAction(async () => {
    try {
      await askForCode(subject);
      setAsked(subject);
    } catch (error) {
      // The person learns only now that there are several workspaces: that is no mistake of theirs.
      const isNews = workspace === undefined && error instanceof Problem && lacksWorkspace(error);
      if (!isNews) throw error;
      setWorkspace('');
    }
  });
  if (asked !== undefined) {
    return <EnterCode onBack={() => setAsked(undefined)} onSignedIn={onSignedIn} subject={asked} />;
  }
  // A code was mailed a moment ago, perhaps before the page was loaded again.
  const isEarly = problem?.code === 'rate_limited';
  return (
    <Form onSubmit={() => !isPending && void run()} problem={problem}>
      {!confirms && (
        <TextField
          autoComplete="email webauthn"
          inputMode="email"
          label={t.email}
          name="email"
          onChange={setEmail}
          spellCheck="false"
          type="email"
          value={email}
        />
      )}
      {!confirms && workspace !== undefined && (
        <TextField
          autoFocus={email !== ''}
          hint={t.workspaceHint}
          label={t.workspace}
          name="workspace"
          onChange={setWorkspace}
          spellCheck="false"
          value={workspace}
        />
      )}
      {problem !== undefined && <ProblemNote onRetry={() => void run()} problem={problem} />}
      <div className="flex flex-wrap gap-3">
        <Button
          isDisabled={!confirms && email.trim() === ''}
          isPending={isPending}
          kind={confirms ? undefined : 'first'}
          type="submit"
        >
          {confirms ? t.mailMe : t.proceed}
        </Button>
        {isEarly && <Button onPress={() => setAsked(subject)}>{t.haveCode}</Button>}
      </div>
    </Form>
  );
}

function lacksWorkspace({errors}: Problem): boolean {
  return errors.some(({pointer}) => pointer === '#/workspace');
}
