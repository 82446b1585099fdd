import {TextArea as AriaTextArea, TextField} from 'react-aria-components';
import {texts} from '../texts/texts.ts';
import {FieldLabel, FieldNotes, buildValidationProps} from './field.tsx';
import {fieldClass, textAreaClass} from './field-classes.ts';
import type {TextFieldProps} from './text-field.tsx';

interface TextAreaProps extends TextFieldProps {
  readonly rows?: number | undefined;
  /** Maximum number of characters; needs `value`. Longer text is not cut: the field shows the excess. */
  readonly limit?: number | undefined;
}

/** A text field that grows with its text. */
export function TextArea({
  label,
  hint,
  error,
  isLabelHidden,
  isOptional,
  placeholder,
  rows = 3,
  limit,
  ...rest
}: TextAreaProps) {
  const left = limit === undefined ? undefined : limit - (rest.value ?? '').length;
  const isNear = left !== undefined && limit !== undefined && left < Math.max(40, limit * 0.1);
  return (
    <TextField {...rest} {...buildValidationProps(error)} className={fieldClass}>
      <FieldLabel {...{label, isLabelHidden, isOptional}} />
      <AriaTextArea className={textAreaClass} placeholder={placeholder ?? ''} rows={rows} />
      <FieldNotes error={error} hint={hint}>
        {isNear ? (
          <span
            aria-live="polite"
            className="ms-auto flex-none text-xs text-quiet data-over:font-medium data-over:text-missed"
            data-over={left < 0 || undefined}
          >
            {left < 0 ? texts.fields.tooLong({over: -left}) : texts.fields.characters({left})}
          </span>
        ) : undefined}
      </FieldNotes>
    </TextField>
  );
}
