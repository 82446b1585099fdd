import {use, useId, useState} from 'react';
import {FormValidationContext} from 'react-aria-components';
import {texts} from '../texts/texts.ts';
import type {FieldTexts} from './field.tsx';
import {errorClass, fieldClass, hintClass, labelClass, selectClass} from './field-classes.ts';
import {Icon} from './icon.tsx';
import type {Option} from './option.tsx';

interface SelectProps<Id extends string> extends FieldTexts {
  readonly options: readonly Option<Id>[];
  readonly value: Id | null;
  readonly onChange: (id: Id) => void;
  readonly name?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  /** Text shown until an option is chosen. */
  readonly placeholder?: string | undefined;
}

/** A native select: phones show their own picker, and the page is 50 kB smaller. It shows no marks. */
export function Select<Id extends string>({
  label,
  hint,
  error,
  isLabelHidden = false,
  isOptional = false,
  options,
  value,
  onChange,
  name,
  isDisabled = false,
  placeholder = texts.parts.choose,
}: SelectProps<Id>) {
  const id = useId();
  const refusals = use(FormValidationContext);
  // Hides the service's error once another option is chosen.
  const [answered, setAnswered] = useState<unknown>();
  const refused = name === undefined || refusals === answered ? undefined : refusals[name];
  const wrong = error ?? (refused === undefined ? undefined : [refused].flat().join(' '));
  const note = hint ?? options.find((option) => option.id === value)?.hint;
  return (
    <div className={fieldClass} data-invalid={wrong === undefined ? undefined : ''}>
      <label className={isLabelHidden ? 'sr-only' : labelClass} htmlFor={id}>
        {label}
        {isOptional && <span className="font-normal text-quiet"> {texts.parts.optional}</span>}
      </label>
      <span className="grid min-w-0 items-center *:col-start-1 *:row-start-1 [&>svg]:pointer-events-none [&>svg]:me-3 [&>svg]:justify-self-end [&>svg]:text-quiet">
        <select
          aria-describedby={`${id}-hint ${id}-error`}
          aria-invalid={wrong === undefined ? undefined : true}
          className={selectClass}
          disabled={isDisabled}
          id={id}
          name={name}
          onChange={({target}) => {
            setAnswered(refusals);
            onChange(target.value as Id);
          }}
          value={value ?? ''}
        >
          {value === null && (
            <option disabled value="">
              {placeholder}
            </option>
          )}
          {options.map((option) => (
            <option disabled={option.isDisabled} key={option.id} value={option.id}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" size={16} />
      </span>
      {note !== undefined && (
        <div className="flex gap-4">
          <span className={hintClass} id={`${id}-hint`}>
            {note}
          </span>
        </div>
      )}
      {wrong !== undefined && (
        <span className={errorClass} id={`${id}-error`}>
          {wrong}
        </span>
      )}
    </div>
  );
}
