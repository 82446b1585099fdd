import {useEffect} from 'react';
import {cancelPasskey, confirmWithPasskey, signInByAutofill, signInWithPasskey} from '../../api/passkeys.ts';
import {texts} from '../../texts/texts.ts';
import {Button} from '../button.tsx';
import {PasskeyProblem} from '../passkeys/passkey-problem.tsx';
import {useAction} from '../use-action.ts';
import type {WayProps} from './way.ts';

/** A text field with this attribute also suggests passkeys, such as the one for the e-mail address. */
const autofilled = 'input[autocomplete~="webauthn"]';

export function PasskeyWay({confirms, onSignedIn}: WayProps) {
  const t = texts.passkeys;
  const byButton = useAction(async () => {
    await (confirms ? confirmWithPasskey() : signInWithPasskey());
    onSignedIn();
  });
  const bySuggestion = useAction(async () => {
    await signInByAutofill();
    onSignedIn();
  });
  useEffect(() => {
    if (confirms || document.querySelector(autofilled) === null) return undefined;
    void bySuggestion.run();
    return () => void cancelPasskey();
    // Runs only once for each page.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  // A suggestion that no one chooses, or that the button replaces, is no problem.
  const isIgnored = bySuggestion.problem?.code.startsWith('passkey_') === true;
  const problem = byButton.problem ?? (isIgnored ? undefined : bySuggestion.problem);
  return (
    <>
      <Button icon="key" isPending={byButton.isPending} kind="first" onPress={() => void byButton.run()}>
        {confirms ? t.confirm : t.signIn}
      </Button>
      {problem !== undefined && <PasskeyProblem problem={problem} />}
    </>
  );
}
