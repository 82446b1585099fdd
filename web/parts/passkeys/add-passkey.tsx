import {addPasskey} from '../../api/passkeys.ts';
import {invalidate} from '../../api/queries.ts';
import {texts} from '../../texts/texts.ts';
import {Button, type ButtonProps} from '../button.tsx';
import {toast} from '../toast.ts';
import {useAction} from '../use-action.ts';
import {PasskeyProblem} from './passkey-problem.tsx';

interface AddPasskeyProps extends Pick<ButtonProps, 'kind'> {
  readonly onAdded?: () => void;
}

/** The button that adds a passkey of this device. Only a session that is confirmed may add one. */
export function AddPasskey({kind, onAdded}: AddPasskeyProps) {
  const t = texts.passkeys;
  const {run, isPending, problem} = useAction(async () => {
    const {name} = await addPasskey();
    toast({text: t.added({name})});
    await invalidate('passkey');
    onAdded?.();
  });
  return (
    <>
      <Button icon="key" isPending={isPending} kind={kind} onPress={() => void run()}>
        {t.add}
      </Button>
      {problem !== undefined && <PasskeyProblem problem={problem} />}
    </>
  );
}
