import {useState} from 'react';
import {Button} from '../../parts/button.tsx';
import {ConfirmFirst} from '../../parts/confirm-first.tsx';
import {Dialog} from '../../parts/dialog.tsx';
import {Form} from '../../parts/form.tsx';
import {ProblemNote} from '../../parts/problem-note.tsx';
import {TextField} from '../../parts/text-field.tsx';
import {useAction} from '../../parts/use-action.ts';
import {texts} from '../../texts/texts.ts';

/** Asks for one name, and perhaps for an address, and closes when they are saved. */
export function NameDialog({
  title,
  label,
  asksAddress = false,
  scope,
  onSave,
  onClose,
}: {
  readonly title: string;
  readonly label: string;
  readonly asksAddress?: boolean | undefined;
  /** The elevated scope that the change needs. */
  readonly scope?: 'workspace:manage' | undefined;
  readonly onSave: (name: string, email: string) => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const {run, isPending, problem} = useAction(async () => {
    await onSave(name.trim(), email.trim());
    onClose();
  });
  const isReady = name.trim() !== '' && (!asksAddress || email.trim() !== '');
  const save = (): void => void (isReady && !isPending && run());
  const submit = (
    <Button isDisabled={!isReady} isPending={isPending} kind="first" type="submit">
      {texts.setup.save}
    </Button>
  );
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <Form onSubmit={save} problem={problem}>
        <TextField
          autoComplete="off"
          autoFocus
          label={label}
          maxLength={80}
          name="name"
          onChange={setName}
          value={name}
        />
        {asksAddress && (
          <TextField
            autoComplete="email"
            hint={texts.setup.checklist.yourEmailHint}
            label={texts.setup.checklist.yourEmail}
            maxLength={320}
            name="email"
            onChange={setEmail}
            type="email"
            value={email}
          />
        )}
        {problem !== undefined && <ProblemNote onRetry={save} problem={problem} />}
        {scope === undefined ? submit : <ConfirmFirst scope={scope}>{submit}</ConfirmFirst>}
      </Form>
    </Dialog>
  );
}
