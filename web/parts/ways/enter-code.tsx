import {useState} from 'react';
import type {Problem} from '../../api/problem.ts';
import {askForCode, signInByCode} from '../../api/sign-in.ts';
import {texts} from '../../texts/texts.ts';
import {Button} from '../button.tsx';
import {Form} from '../form.tsx';
import {ProblemNote} from '../problem-note.tsx';
import {TextField} from '../text-field.tsx';
import {useAction} from '../use-action.ts';
import {useNow} from '../use-now.ts';
import {type CodeSubject, keepWorkspace} from './mailed-code.ts';

/** The time (ms) after which another code may be asked for. */
const pause = 30_000;

interface EnterCodeProps {
  readonly subject: CodeSubject;
  readonly onSignedIn: () => void;
  readonly onBack: () => void;
}

/** Asks for the code that was mailed. It says nothing about whether the address belongs to anybody. */
export function EnterCode({subject, onSignedIn, onBack}: EnterCodeProps) {
  const t = texts.signIn.mail;
  const {email} = subject;
  const [code, setCode] = useState('');
  const [askedAt, setAskedAt] = useState(() => Date.now());
  const now = useNow(1_000);
  const submit = useAction(async () => {
    await signInByCode({...subject, code});
    keepWorkspace(subject);
    onSignedIn();
  });
  const again = useAction(async () => {
    await askForCode(subject);
    setCode('');
    setAskedAt(Date.now());
    submit.reset();
  });
  const waits = Math.ceil((Math.max(askedAt + pause, again.problem?.retryAt ?? 0) - now) / 1_000);
  const refusal = submit.problem === undefined ? undefined : explainCodeProblem(submit.problem);
  const other = refusal === undefined ? (submit.problem ?? again.problem) : undefined;
  const enter = (): void => {
    if (code.trim() !== '' && !submit.isPending) void submit.run();
  };
  return (
    <Form onSubmit={enter} problem={submit.problem}>
      <p role="status">{email === undefined ? t.sentToYou : t.sent({email})}</p>
      <TextField
        autoComplete="one-time-code"
        autoFocus
        error={refusal}
        label={t.code}
        maxLength={40}
        name="code"
        onChange={setCode}
        spellCheck="false"
        value={code}
      />
      {other !== undefined && other.code !== 'rate_limited' && (
        <ProblemNote onRetry={submit.problem === undefined ? undefined : enter} problem={other} />
      )}
      <div className="flex flex-wrap gap-3">
        <Button isDisabled={code.trim() === ''} isPending={submit.isPending} kind="first" type="submit">
          {email === undefined ? t.confirm : texts.signIn.title}
        </Button>
        <Button isDisabled={waits > 0} isPending={again.isPending} onPress={() => void again.run()}>
          {waits > 0 ? t.sendAgainIn({seconds: waits}) : t.sendAgain}
        </Button>
        {email !== undefined && <Button onPress={onBack}>{t.other}</Button>}
      </div>
    </Form>
  );
}

/** Explains why a code was refused; undefined if the problem is another one. */
export function explainCodeProblem({status, triesLeft, code}: Problem): string | undefined {
  const t = texts.signIn.mail;
  if (status !== 401 || code !== 'invalid_token') return undefined;
  if (triesLeft === undefined) return t.expired;
  return triesLeft === 0 ? t.tooMany : t.wrong({tries: triesLeft});
}
