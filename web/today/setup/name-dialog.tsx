import {useState} from 'react';
import {Button} from '../../parts/button.tsx';
import {ConfirmFirst} from '../../parts/confirm-first.tsx';
import {Dialog} from '../../parts/dialog.tsx';
import {Form} from '../../parts/form.tsx';
import {ProblemNote} from '../../parts/problem-note.tsx';
import {TextField} from '../../parts/text-field.tsx';
import {useAction} from '../../parts/use-action.ts';
import {texts} from '../../texts/texts.ts';

/** Asks for one name, and closes when it is saved. */
export function NameDialog({
  title,
  label,
  scope,
  onSave,
  onClose,
}: {
  readonly title: string;
  readonly label: string;
  /** The elevated scope that the change needs. */
  readonly scope?: 'workspace:manage' | undefined;
  readonly onSave: (name: string) => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState('');
  const {run, isPending, problem} = useAction(async () => {
    await onSave(name.trim());
    onClose();
  });
  const isReady = name.trim() !== '';
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
        {problem !== undefined && <ProblemNote onRetry={save} problem={problem} />}
        {scope === undefined ? submit : <ConfirmFirst scope={scope}>{submit}</ConfirmFirst>}
      </Form>
    </Dialog>
  );
}
