import {Input, TextField as AriaTextField, type TextFieldProps as AriaProps} from 'react-aria-components';
import {FieldLabel, FieldNotes, buildValidationProps, type FieldTexts} from './field.tsx';
import {fieldClass, inputClass} from './field-classes.ts';

export interface TextFieldProps extends Omit<AriaProps, 'className' | 'children' | 'style'>, FieldTexts {
  readonly placeholder?: string | undefined;
}

export function TextField({
  label,
  hint,
  error,
  isLabelHidden,
  isOptional,
  placeholder,
  ...rest
}: TextFieldProps) {
  return (
    <AriaTextField {...rest} {...buildValidationProps(error)} className={fieldClass}>
      <FieldLabel {...{label, isLabelHidden, isOptional}} />
      <Input className={inputClass} placeholder={placeholder ?? ''} />
      <FieldNotes error={error} hint={hint} />
    </AriaTextField>
  );
}
