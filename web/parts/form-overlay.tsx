import {type ReactNode, useId} from 'react';
import type {Problem} from '../api/problem.ts';
import {texts} from '../texts/texts.ts';
import {Button} from './button.tsx';
import {Form} from './form.tsx';
import {Overlay, type OverlayProps} from './overlay.tsx';
import {ProblemNote} from './problem-note.tsx';

interface FormOverlayProps extends Pick<OverlayProps, 'title' | 'children' | 'onClose'> {
  readonly variant: 'dialog' | 'sheet';
  /** Label of the button that submits the form. */
  readonly submit: string;
  readonly isReady?: boolean | undefined;
  readonly isPending: boolean;
  readonly problem: Problem | undefined;
  /** Advice on the problem that replaces the usual advice. */
  readonly cure?: string | undefined;
  readonly onSubmit: () => unknown;
  readonly cancel?: string | undefined;
  /** Called by the button that cancels, which otherwise only closes the overlay. */
  readonly onCancel?: (() => void) | undefined;
  /** A button at the start of the footer. */
  readonly action?: ReactNode | undefined;
  readonly id?: string | undefined;
}

/** A form in an overlay. Its buttons are in the footer, and the service's error is below the fields. */
export function FormOverlay({
  variant,
  submit,
  isReady = true,
  isPending,
  problem,
  cure,
  onSubmit,
  onClose,
  cancel = texts.parts.cancel,
  onCancel = onClose,
  action,
  id,
  children,
  title,
}: FormOverlayProps) {
  const ownId = useId();
  const form = id ?? ownId;
  const send = (): unknown => isReady && !isPending && onSubmit();
  return (
    <Overlay
      footer={
        <>
          {action && <div className="me-auto">{action}</div>}
          <Button kind={variant === 'sheet' ? 'quiet' : 'plain'} onPress={onCancel}>
            {cancel}
          </Button>
          <Button form={form} isDisabled={!isReady} isPending={isPending} kind="first" type="submit">
            {submit}
          </Button>
        </>
      }
      isOpen
      onClose={onClose}
      title={title}
      variant={variant}
    >
      <Form id={form} onSubmit={send} problem={problem}>
        {children}
        {problem !== undefined && <ProblemNote cure={cure} onRetry={send} problem={problem} />}
      </Form>
    </Overlay>
  );
}
