import type {ReactNode} from 'react';
import {Tab, TabList, TabPanel, Tabs as AriaTabs} from 'react-aria-components';
import {Localized} from './localized.tsx';
import styles from './tabs.module.css';

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly {
    readonly id: Id;
    readonly label: ReactNode;
    readonly content: ReactNode;
    readonly isDisabled?: boolean | undefined;
  }[];
  readonly value?: Id | undefined;
  readonly onChange?: ((id: Id) => void) | undefined;
}

export function Tabs<Id extends string>({label, tabs, value, onChange}: TabsProps<Id>) {
  return (
    <Localized>
      <AriaTabs
        className={styles['tabs'] ?? ''}
        {...(value !== undefined && {selectedKey: value})}
        onSelectionChange={(key) => onChange?.(String(key) as Id)}
      >
        <TabList aria-label={label} className={styles['list'] ?? ''}>
          {tabs.map((tab) => (
            <Tab
              className={styles['tab'] ?? ''}
              id={tab.id}
              isDisabled={tab.isDisabled ?? false}
              key={tab.id}
            >
              {tab.label}
            </Tab>
          ))}
        </TabList>
        {tabs.map((tab) => (
          <TabPanel className={styles['panel'] ?? ''} id={tab.id} key={tab.id}>
            {tab.content}
          </TabPanel>
        ))}
      </AriaTabs>
    </Localized>
  );
}
