import {
  Button,
  ComboBox as AriaComboBox,
  type ComboBoxProps as AriaProps,
  Group,
  Input,
  ListBox,
  Popover,
} from 'react-aria-components';
import {texts} from '../texts/texts.ts';
import {FieldLabel, FieldNotes, type FieldTexts, buildValidationProps} from './field.tsx';
import styles from './field.module.css';
import {Icon} from './icon.tsx';
import listStyles from './list.module.css';
import {Localized} from './localized.tsx';
import {type Option, OptionItem} from './option.tsx';
import popoverStyles from './popover.module.css';

interface ComboBoxProps<Id extends string>
  extends Pick<
      AriaProps<Option>,
      'name' | 'isDisabled' | 'isRequired' | 'autoFocus' | 'id' | 'inputValue' | 'menuTrigger'
    >,
    FieldTexts {
  readonly options: readonly Option<Id>[];
  readonly value: Id | null;
  readonly onChange: (id: Id | null) => void;
  /**
   * Called with the typed text, for which the caller then supplies the options. Without this callback, the
   * field itself finds the options that contain the text.
   */
  readonly onInputChange?: ((typed: string) => void) | undefined;
  readonly isLoading?: boolean | undefined;
  readonly placeholder?: string | undefined;
}

export function ComboBox<Id extends string>({
  label,
  hint,
  error,
  isLabelHidden,
  isOptional,
  options,
  value,
  onChange,
  onInputChange,
  isLoading = false,
  placeholder,
  menuTrigger = 'focus',
  ...rest
}: ComboBoxProps<Id>) {
  const found = onInputChange === undefined ? {defaultItems: options} : {items: options, onInputChange};
  return (
    <Localized>
      <AriaComboBox
        {...rest}
        {...found}
        {...buildValidationProps(error)}
        allowsEmptyCollection
        className={styles['field'] ?? ''}
        menuTrigger={menuTrigger}
        onChange={(key) => onChange(key === null ? null : (String(key) as Id))}
        value={value}
      >
        <FieldLabel {...{label, isLabelHidden, isOptional}} />
        <Group className={`${styles['box']} ${styles['group']}`}>
          <Input placeholder={placeholder ?? ''} />
          <Button className={styles['inner'] ?? ''}>
            <Icon name="chevron-down" size={16} />
          </Button>
        </Group>
        <FieldNotes error={error} hint={hint} />
        <Popover className={popoverStyles['popover'] ?? ''} data-fits="" offset={4}>
          <ListBox
            className={listStyles['list'] ?? ''}
            renderEmptyState={() => (
              <div className={listStyles['nothing']}>
                {isLoading ? texts.parts.loading : texts.parts.noMatches}
              </div>
            )}
          >
            {(option: Option) => <OptionItem {...option} />}
          </ListBox>
        </Popover>
      </AriaComboBox>
    </Localized>
  );
}
