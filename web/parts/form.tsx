import type {FormEvent, ReactNode} from 'react';
import {Form as AriaForm} from 'react-aria-components';
import type {Problem} from '../api/problem.ts';

interface FormProps {
  readonly onSubmit: () => unknown;
  /** The service's error. Each part is shown at the field whose `name` is the pointer without `#/`. */
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
      className="grid min-w-0 gap-5 [&>button]:justify-self-start"
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

/**
 * Groups the service's errors by field name: `#/schedule/days/0` becomes `schedule/days/0`. The fields
 * `schedule/days` and `schedule` show this error too.
 */
export function groupFieldErrors(problem: Problem | undefined): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const {pointer, parameter, detail} of problem?.errors ?? []) {
    const parts = (pointer?.replace(/^#?\//, '') ?? parameter ?? '').split('/');
    for (const length of parts.keys()) (found[parts.slice(0, length + 1).join('/')] ??= []).push(detail);
  }
  return found;
}

/**
 * Joins form fields to a draft: `<TextField {...field('url')} label="URL" />`. A field's name, to which the
 * service's errors point, is its key in the draft unless another name is given.
 */
export function bindFields<Draft extends object>(draft: Draft, change: (change: Partial<Draft>) => void) {
  function bind<Key extends keyof Draft & string>(key: Key, name: string) {
    const onChange = (value: Draft[Key]): void => {
      const changed: Partial<Draft> = {};
      changed[key] = value;
      change(changed);
    };
    return {name, onChange};
  }
  return {
    field: <Key extends keyof Draft & string>(key: Key, name: string = key) => ({
      ...bind(key, name),
      value: draft[key],
    }),
    check: <Key extends keyof Draft & string>(key: Key, name: string = key) => ({
      ...bind(key, name),
      isSelected: draft[key],
    }),
  };
}
