import {
  Button,
  Group,
  Input,
  NumberField as AriaNumberField,
  type NumberFieldProps as AriaProps,
} from 'react-aria-components';
import {FieldLabel, FieldNotes, type FieldTexts, buildValidationProps} from './field.tsx';
import styles from './field.module.css';
import {Icon} from './icon.tsx';
import {Localized} from './localized.tsx';

interface NumberFieldProps extends Omit<AriaProps, 'className' | 'style' | 'children'>, FieldTexts {}

export function NumberField({label, hint, error, isLabelHidden, isOptional, ...rest}: NumberFieldProps) {
  return (
    <Localized>
      <AriaNumberField {...rest} {...buildValidationProps(error)} className={styles['field'] ?? ''}>
        <FieldLabel {...{label, isLabelHidden, isOptional}} />
        <Group className={`${styles['box']} ${styles['group']}`}>
          <Input />
          <Button className={styles['inner'] ?? ''} slot="decrement">
            <Icon name="dash" size={16} />
          </Button>
          <Button className={styles['inner'] ?? ''} slot="increment">
            <Icon name="plus" size={16} />
          </Button>
        </Group>
        <FieldNotes error={error} hint={hint} />
      </AriaNumberField>
    </Localized>
  );
}
