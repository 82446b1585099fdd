export const personTabs = ['standups', 'absences', 'blockers', 'participation', 'settings'] as const;
export type PersonTab = (typeof personTabs)[number];

/** The parsed address of a person's page. */
export interface PersonSearch {
  /** Undefined: the standups. */
  readonly tab?: PersonTab;
}

export function readPersonSearch({tab}: Record<string, unknown>): PersonSearch {
  const found = personTabs.find((one) => one === tab);
  return found === undefined ? {} : {tab: found};
}
