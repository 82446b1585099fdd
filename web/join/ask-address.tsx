import {askToProve} from '../api/sign-in.ts';
import {Button} from '../parts/button.tsx';
import {Form} from '../parts/form.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {TextField} from '../parts/text-field.tsx';
import {useAction} from '../parts/use-action.ts';
import {texts} from '../texts/texts.ts';
import type {HeldLink} from './held-link.ts';

interface AskAddressProps {
  readonly held: HeldLink;
  readonly email: string;
  readonly onChange: (email: string) => void;
  readonly onAsked: () => void;
}

/** Asks a person without an account for their address, and mails a code to it. */
export function AskAddress({held, email, onChange, onAsked}: AskAddressProps) {
  const t = texts.signIn.mail;
  const {run, isPending, problem} = useAction(async () => {
    await askToProve({link: held.link, email: email.trim()});
    onAsked();
  });
  return (
    <Form onSubmit={() => email.trim() !== '' && !isPending && void run()} problem={problem}>
      <TextField
        autoComplete="email"
        autoFocus
        hint={texts.join.addressHint}
        inputMode="email"
        label={t.email}
        name="email"
        onChange={onChange}
        spellCheck="false"
        type="email"
        value={email}
      />
      {problem !== undefined && <ProblemNote onRetry={() => void run()} problem={problem} />}
      <div className="flex flex-wrap gap-3">
        <Button isDisabled={email.trim() === ''} isPending={isPending} kind="first" type="submit">
          {t.proceed}
        </Button>
        {problem?.code === 'rate_limited' && <Button onPress={onAsked}>{t.haveCode}</Button>}
      </div>
    </Form>
  );
}
