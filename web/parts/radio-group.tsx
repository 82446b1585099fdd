import {Radio, RadioGroup as AriaRadioGroup, type RadioGroupProps as AriaProps} from 'react-aria-components';
import {FieldLabel, FieldNotes, type FieldTexts, buildValidationProps} from './field.tsx';
import {choiceBoxClass, choiceClass, fieldClass} from './field-classes.ts';
import {Localized} from './localized.tsx';
import type {Option} from './option.tsx';

interface RadioGroupProps<Id extends string>
  extends Omit<AriaProps, 'className' | 'style' | 'children' | 'value' | 'onChange'>,
    FieldTexts {
  readonly options: readonly Option<Id>[];
  readonly value: Id | null;
  readonly onChange: (id: Id) => void;
}

export function RadioGroup<Id extends string>({
  label,
  hint,
  error,
  isLabelHidden,
  isOptional,
  options,
  onChange,
  orientation = 'vertical',
  ...rest
}: RadioGroupProps<Id>) {
  return (
    <Localized>
      <AriaRadioGroup
        {...rest}
        {...buildValidationProps(error)}
        className={fieldClass}
        onChange={(id) => onChange(id as Id)}
        orientation={orientation}
      >
        <FieldLabel {...{label, isLabelHidden, isOptional}} />
        <div
          className="grid data-row:flex data-row:flex-wrap data-row:gap-x-5"
          data-row={orientation === 'horizontal' || undefined}
        >
          {options.map((option) => (
            <Radio
              className={choiceClass}
              isDisabled={option.isDisabled ?? false}
              key={option.id}
              value={option.id}
            >
              <span
                className={`rounded-full after:size-2 after:rounded-full group-data-selected:after:bg-on-accent group-data-disabled:group-data-selected:after:bg-quiet forced-colors:group-data-selected:after:bg-[HighlightText] ${choiceBoxClass}`}
              />
              <span className="grid min-w-0">
                {option.label}
                {option.hint !== undefined && <span className="text-xs text-quiet">{option.hint}</span>}
              </span>
            </Radio>
          ))}
        </div>
        <FieldNotes error={error} hint={hint} />
      </AriaRadioGroup>
    </Localized>
  );
}
