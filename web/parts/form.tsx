import type {FormEvent, ReactNode} from 'react';
import {Form as AriaForm} from 'react-aria-components';
import type {Problem} from '../api/problem.ts';

interface FormProps {
  readonly onSubmit: () => unknown;
  /**
   * The service's error response. Each error is shown at the field whose `name` equals the error's pointer
   * without `#/`.
   */
  readonly problem?: Problem | undefined;
  readonly label?: string | undefined;
  readonly id?: string | undefined;
  readonly children: ReactNode;
}

/** A form that never navigates. Only the service decides what is valid. */
export function Form({onSubmit, problem, label, id, children}: FormProps) {
  return (
    <AriaForm
      {...(id !== undefined && {id})}
      {...(label !== undefined && {'aria-label': label})}
      className="grid min-w-0 gap-4 [&>button]:justify-self-start"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onSubmit();
      }}
      validationBehavior="aria"
      validationErrors={groupFieldErrors(problem)}
    >
      {children}
    </AriaForm>
  );
}

/** Groups the service's errors by field name: `#/schedule/opens` becomes `schedule/opens`. */
export function groupFieldErrors(problem: Problem | undefined): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const {pointer, parameter, detail} of problem?.errors ?? []) {
    const name = pointer?.replace(/^#?\//, '') ?? parameter;
    if (name !== undefined) found[name] = [...(found[name] ?? []), detail];
  }
  return found;
}
