import {
  ComboBox as AriaComboBox,
  type ComboBoxProps as AriaProps,
  Group,
  Input,
  ListBox,
  Popover,
} from 'react-aria-components';
import {texts} from '../texts/texts.ts';
import {InnerButton, FieldLabel, FieldNotes, type FieldTexts, buildValidationProps} from './field.tsx';
import {boxGroupClass, fieldClass} from './field-classes.ts';
import {Localized} from './localized.tsx';
import {listClass, type Option, OptionItem} from './option.tsx';
import {popoverClass} from './popover.tsx';

interface ComboBoxProps<Id extends string>
  extends Pick<
      AriaProps<Option>,
      'name' | 'isDisabled' | 'isRequired' | 'autoFocus' | 'id' | 'inputValue' | 'menuTrigger' | 'onFocus'
    >,
    FieldTexts {
  readonly options: readonly Option<Id>[];
  readonly value: Id | null;
  readonly onChange: (id: Id | null) => void;
  /** Called with the typed text: the caller supplies the options. Without it, the field finds them. */
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
        className={fieldClass}
        menuTrigger={menuTrigger}
        onChange={(key) => onChange(key === null ? null : (String(key) as Id))}
        value={value}
      >
        <FieldLabel {...{label, isLabelHidden, isOptional}} />
        <Group className={boxGroupClass}>
          <Input className="w-full min-w-0 flex-1 py-[7px] outline-none" placeholder={placeholder ?? ''} />
          <InnerButton icon="chevron-down" />
        </Group>
        <FieldNotes error={error} hint={hint} />
        <Popover className={popoverClass} data-fits="" offset={4}>
          <ListBox
            className={listClass}
            renderEmptyState={() => (
              <div className="p-2 text-quiet">{isLoading ? texts.parts.loading : texts.parts.noMatches}</div>
            )}
          >
            {(option: Option) => <OptionItem {...option} />}
          </ListBox>
        </Popover>
      </AriaComboBox>
    </Localized>
  );
}
