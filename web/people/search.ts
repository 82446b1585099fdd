export const personTabs = ['standups', 'absences', 'blockers', 'participation', 'settings'] as const;
export type PersonTab = (typeof personTabs)[number];

/** The address of a person's page as it is read. */
export interface PersonSearch {
  /** Standups when left out. */
  readonly tab?: PersonTab;
}

export function readPersonSearch({tab}: Record<string, unknown>): PersonSearch {
  const found = personTabs.find((one) => one === tab);
  return found === undefined ? {} : {tab: found};
}
