import type {ReactNode} from 'react';
import {
  CheckboxButton,
  CheckboxField,
  type CheckboxFieldProps,
  CheckboxGroup as AriaGroup,
  type CheckboxGroupProps as AriaGroupProps,
} from 'react-aria-components';
import {FieldLabel, FieldNotes, type FieldTexts, buildValidationProps} from './field.tsx';
import {choiceBoxClass, choiceClass, fieldClass} from './field-classes.ts';
import {Icon} from './icon.tsx';

interface CheckBoxProps extends Omit<CheckboxFieldProps, 'className' | 'style' | 'children'> {
  readonly label: ReactNode;
  readonly hint?: ReactNode | undefined;
  readonly error?: string | undefined;
}

export function CheckBox({label, hint, error, ...rest}: CheckBoxProps) {
  return (
    <CheckboxField {...rest} {...buildValidationProps(error)} className="grid">
      <CheckboxButton className={choiceClass}>
        {({isSelected, isIndeterminate}) => (
          <>
            <span className={`rounded-[5px] ${choiceBoxClass}`}>
              {isIndeterminate ? (
                <Icon name="dash" size={16} />
              ) : (
                isSelected && <Icon name="check" size={16} />
              )}
            </span>
            <span>{label}</span>
          </>
        )}
      </CheckboxButton>
      <div className="-mt-1.5 grid ps-7 pb-1.5">
        <FieldNotes error={error} hint={hint} />
      </div>
    </CheckboxField>
  );
}

interface CheckBoxGroupProps extends Omit<AriaGroupProps, 'className' | 'style' | 'children'>, FieldTexts {
  readonly children: ReactNode;
  /** Places the boxes side by side, as far as there is room. */
  readonly isRow?: boolean | undefined;
}

/** Checkboxes, each with a `value`, under one heading. */
export function CheckBoxGroup({
  label,
  hint,
  error,
  isLabelHidden,
  isOptional,
  children,
  isRow = false,
  ...rest
}: CheckBoxGroupProps) {
  return (
    <AriaGroup {...rest} {...buildValidationProps(error)} className={fieldClass}>
      <FieldLabel {...{label, isLabelHidden, isOptional}} />
      <div className="grid data-row:flex data-row:flex-wrap data-row:gap-x-5" data-row={isRow || undefined}>
        {children}
      </div>
      <FieldNotes error={error} hint={hint} />
    </AriaGroup>
  );
}
