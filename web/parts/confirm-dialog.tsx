import {type ReactNode, useId, useState} from 'react';
import type {Problem} from '../api/problem.ts';
import {texts} from '../texts/texts.ts';
import {Button} from './button.tsx';
import {Form} from './form.tsx';
import {Overlay} from './overlay.tsx';
import {ProblemNote} from './problem-note.tsx';
import {TextField} from './text-field.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  readonly text: ReactNode;
  readonly confirm: string;
  /** Text that the person must type first, for an action that cannot be undone. */
  readonly typed?: string | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => unknown;
  readonly isPending?: boolean | undefined;
  readonly problem?: Problem | undefined;
  readonly kind?: 'danger' | 'first' | undefined;
}

export function ConfirmDialog({
  title,
  text,
  confirm,
  typed,
  isOpen,
  onClose,
  onConfirm,
  isPending = false,
  problem,
  kind = 'danger',
}: ConfirmDialogProps) {
  const form = useId();
  const [given, setGiven] = useState('');
  const isReady = typed === undefined || given.trim() === typed;
  const close = (): void => {
    setGiven('');
    onClose();
  };
  return (
    <Overlay
      footer={
        <>
          <Button onPress={close}>{texts.parts.cancel}</Button>
          <Button form={form} isDisabled={!isReady} isPending={isPending} kind={kind} type="submit">
            {confirm}
          </Button>
        </>
      }
      isOpen={isOpen}
      onClose={close}
      variant="dialog"
      role="alertdialog"
      title={title}
    >
      <Form id={form} onSubmit={() => isReady && !isPending && onConfirm()}>
        <div className="text-pretty">{text}</div>
        {typed !== undefined && (
          <TextField
            autoComplete="off"
            autoFocus
            label={texts.fields.typeToConfirm({typed})}
            onChange={setGiven}
            spellCheck="false"
            value={given}
          />
        )}
        {problem !== undefined && <ProblemNote problem={problem} />}
      </Form>
    </Overlay>
  );
}
