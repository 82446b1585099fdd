import {
  Button,
  ListBox,
  Popover,
  Select as AriaSelect,
  type SelectProps as AriaProps,
  SelectValue,
} from 'react-aria-components';
import {words} from '../words/words.ts';
import {FieldLabel, FieldNotes, type FieldWords, validationOf} from './field.tsx';
import styles from './field.module.css';
import {Icon} from './icon.tsx';
import listStyles from './list.module.css';
import {Localized} from './localized.tsx';
import {type Option, OptionItem} from './option.tsx';
import popoverStyles from './popover.module.css';

interface SelectProps<Id extends string>
  extends Pick<AriaProps, 'name' | 'isDisabled' | 'isRequired' | 'placeholder' | 'autoFocus' | 'id'>,
    FieldWords {
  readonly options: readonly Option<Id>[];
  readonly value: Id | null;
  readonly onChange: (id: Id) => void;
}

export function Select<Id extends string>({
  label,
  hint,
  error,
  isLabelHidden,
  isOptional,
  options,
  value,
  onChange,
  placeholder = words.parts.choose,
  ...rest
}: SelectProps<Id>) {
  return (
    <Localized>
      <AriaSelect
        {...rest}
        {...validationOf(error)}
        className={styles['field'] ?? ''}
        onChange={(key) => key !== null && onChange(String(key) as Id)}
        placeholder={placeholder}
        value={value}
      >
        <FieldLabel {...{label, isLabelHidden, isOptional}} />
        <Button className={styles['box'] ?? ''}>
          <SelectValue>
            {({isPlaceholder, defaultChildren}) =>
              isPlaceholder ? defaultChildren : options.find(({id}) => id === value)?.label
            }
          </SelectValue>
          <span className={styles['chevron']}>
            <Icon name="chevron-down" size={16} />
          </span>
        </Button>
        <FieldNotes error={error} hint={hint} />
        <Popover className={popoverStyles['popover'] ?? ''} data-fits="" offset={4}>
          <ListBox className={listStyles['list'] ?? ''} items={options}>
            {(option: Option) => <OptionItem {...option} />}
          </ListBox>
        </Popover>
      </AriaSelect>
    </Localized>
  );
}
