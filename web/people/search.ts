export const personTabs = ['standups', 'absences', 'blockers', 'participation', 'settings'] as const;
export type PersonTab = (typeof personTabs)[number];

export interface PersonSearch {
  /** The open tab; undefined for the tab with the standups. */
  readonly tab?: PersonTab;
}

export function readPersonSearch({tab}: Record<string, unknown>): PersonSearch {
  const found = personTabs.find((one) => one === tab);
  return found === undefined ? {} : {tab: found};
}
