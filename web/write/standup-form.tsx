import {type KeyboardEvent, type ReactNode, useEffect, useRef} from 'react';
import {ProblemNote} from '../parts/problem-note.tsx';
import type {Problem} from '../api/problem.ts';
import {isInputMethodKey} from '../parts/keys.ts';
import {texts} from '../texts/texts.ts';
import {
  type FieldError,
  type Field,
  type Format,
  hasTexts,
  isBlank,
  type Value,
  type Values,
} from './compose.ts';
import {LinkButton} from './link-button.tsx';
import {describeBounds, QuestionField} from './question-field.tsx';
import styles from './write.module.css';

interface StandupFormProps {
  readonly fields: readonly Field[];
  readonly values: Values;
  readonly onChange: (id: string, value: Value) => void;
  readonly onSubmit: () => void;
  readonly format: Format;
  /** True while the form shows texts as readers will see them. */
  readonly isPreview: boolean;
  /** The slug of the team whose people are suggested first in mentions. */
  readonly team: string | undefined;
  /** Called to give plain texts formatting. */
  readonly onFormat: () => void;
  readonly hints?: Readonly<Record<string, string | undefined>>;
  readonly errors: Readonly<Record<string, string>>;
  /** Number of attempts to submit; each attempt moves the focus to the first field with an error. */
  readonly tries: number;
  readonly problem?: Problem | undefined;
  readonly top?: ReactNode;
  readonly children?: ReactNode;
}

/** The questions of a standup with their fields. ⌘↵ and Ctrl+Enter submit from every field. */
export function StandupForm({
  fields,
  values,
  onChange,
  onSubmit,
  format,
  isPreview,
  team,
  onFormat,
  hints = {},
  errors,
  tries,
  problem,
  top,
  children,
}: StandupFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const isReady = fields.length > 0;
  const firstWrong = Object.keys(errors)[0];
  const firstOpen = fields.find(({id}) => isBlank(values[id]))?.id ?? fields[0]?.id;
  useEffect(() => {
    const isAlone = !matchMedia('(pointer: coarse)').matches && tries === 0 && firstWrong === undefined;
    if (isReady && isAlone) focusField(form.current, firstOpen);
    // Runs when the fields appear, but not again when the first field is filled.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isReady]);
  useEffect(() => {
    if (firstWrong !== undefined) focusField(form.current, firstWrong);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [tries, isReady]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || isInputMethodKey(event.nativeEvent)) return;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      onSubmit();
    } else if (event.target instanceof HTMLInputElement) event.preventDefault();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its fields receive the keys
    <form
      className={`grid min-w-0 gap-5 ${styles['stack']}`}
      noValidate
      onKeyDown={onKeyDown}
      onSubmit={(event) => event.preventDefault()}
      ref={form}
    >
      {problem !== undefined && <ProblemNote problem={problem} />}
      {top}
      {fields.map((field) => (
        <div data-field={field.id} key={field.id}>
          <QuestionField
            error={errors[field.id]}
            field={field}
            format={format}
            hint={hints[field.id]}
            isPreview={isPreview}
            onChange={(value) => onChange(field.id, value)}
            team={team}
            value={values[field.id]}
          />
        </div>
      ))}
      {hasTexts(fields) && (
        <p className="text-xs text-quiet">
          {format === 'markdown' ? texts.write.formatting : texts.write.noFormatting}{' '}
          {format === 'plain' && <LinkButton onClick={onFormat}>{texts.write.useFormatting}</LinkButton>}
        </p>
      )}
      {children}
    </form>
  );
}

function focusField(form: HTMLFormElement | null, id: string | undefined): void {
  const field = id === undefined ? null : form?.querySelector(`[data-field="${CSS.escape(id)}"]`);
  const input = field?.querySelector<HTMLElement>('textarea, input, [role="spinbutton"], button');
  input?.focus();
}

export function describeErrors(
  fieldErrors: ReadonlyMap<string, FieldError>,
  fields: readonly Field[],
): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const {id} of fields) {
    const fieldError = fieldErrors.get(id);
    if (fieldError !== undefined) errors[id] = describeError(fieldError);
  }
  return errors;
}

function describeError(fieldError: FieldError): string {
  const {errors} = texts.write;
  switch (fieldError.is) {
    case 'missing':
      return errors.missing;
    case 'long':
      return errors.long;
    case 'long-in-all':
      return errors.longInAll({over: texts.fields.tooLong({over: fieldError.over})});
    case 'number':
      return errors.number;
    case 'range':
      return describeBounds(fieldError.min, fieldError.max) ?? errors.number;
  }
}

/** The service's validation errors by field. It names an answer by its position in the request. */
export function groupServiceErrorsByField(
  problem: Problem | undefined,
  sent: unknown,
  fields: readonly Field[],
): Record<string, string> {
  const answers = readAnswerKeys(sent);
  const errors: Record<string, string> = {};
  for (const {pointer = '', detail} of problem?.errors ?? []) {
    const index = /^#?\/answers\/(\d+)/.exec(pointer)?.[1];
    const named = index === undefined ? /question "([a-z0-9_]+)"/.exec(detail)?.[1] : answers[Number(index)];
    const isText = /^#?\/(?:update|blockers)/.test(pointer);
    const id = named ?? (isText ? fields.find(({type}) => type === 'text')?.id : undefined);
    if (/^#?\/date/.test(pointer)) errors['date'] ??= detail;
    else if (/^#?\/teams?(?:\/|$)/.test(pointer)) errors['teams'] ??= detail;
    else if (id !== undefined && fields.some((field) => field.id === id)) errors[id] ??= detail;
  }
  return errors;
}

function readAnswerKeys(sent: unknown): readonly (string | undefined)[] {
  const {answers} = (sent ?? {}) as {answers?: readonly {question: string}[] | null};
  return (answers ?? []).map(({question}) => question);
}
