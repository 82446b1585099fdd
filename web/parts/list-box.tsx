import {ListBox as AriaListBox} from 'react-aria-components';
import {texts} from '../texts/texts.ts';
import styles from './list.module.css';
import {Localized} from './localized.tsx';
import {type Option, OptionItem} from './option.tsx';

interface ListBoxProps<Id extends string> {
  readonly label: string;
  readonly options: readonly Option<Id>[];
  readonly selectionMode?: 'single' | 'multiple' | undefined;
  readonly value: readonly Id[];
  readonly onChange: (ids: readonly Id[]) => void;
  readonly nothing?: string | undefined;
}

/** A list of options that is always visible. */
export function ListBox<Id extends string>({
  label,
  options,
  selectionMode = 'single',
  value,
  onChange,
  nothing = texts.parts.noMatches,
}: ListBoxProps<Id>) {
  return (
    <Localized>
      <AriaListBox
        aria-label={label}
        className={`${styles['list']} ${styles['framed']}`}
        items={options}
        onSelectionChange={(keys) =>
          onChange(options.map(({id}) => id).filter((id) => keys === 'all' || keys.has(id)))
        }
        renderEmptyState={() => <div className={styles['nothing']}>{nothing}</div>}
        selectedKeys={value}
        selectionMode={selectionMode}
      >
        {(option: Option) => <OptionItem {...option} />}
      </AriaListBox>
    </Localized>
  );
}
