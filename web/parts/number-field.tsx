import {
  Group,
  Input,
  NumberField as AriaNumberField,
  type NumberFieldProps as AriaProps,
} from 'react-aria-components';
import {InnerButton, FieldLabel, FieldNotes, type FieldTexts, buildValidationProps} from './field.tsx';
import {boxGroupClass, fieldClass} from './field-classes.ts';
import {Localized} from './localized.tsx';

interface NumberFieldProps extends Omit<AriaProps, 'className' | 'style' | 'children'>, FieldTexts {}

export function NumberField({label, hint, error, isLabelHidden, isOptional, ...rest}: NumberFieldProps) {
  return (
    <Localized>
      <AriaNumberField {...rest} {...buildValidationProps(error)} className={fieldClass}>
        <FieldLabel {...{label, isLabelHidden, isOptional}} />
        <Group className={boxGroupClass}>
          <Input className="w-full min-w-0 flex-1 py-[7px] outline-none" />
          <InnerButton icon="dash" slot="decrement" />
          <InnerButton icon="plus" slot="increment" />
        </Group>
        <FieldNotes error={error} hint={hint} />
      </AriaNumberField>
    </Localized>
  );
}
