/** Groups of event types, in the order in which they are chosen from. */
export const eventGroups: Readonly<Record<string, readonly string[]>> = {
  standup: ['created', 'updated', 'deleted'],
  blocker: ['raised', 'updated', 'acknowledged', 'resolved', 'deleted'],
  run: ['opened', 'reminded', 'closed', 'missed', 'cancelled', 'updated'],
  absence: ['created', 'updated', 'deleted'],
  team: ['created', 'updated', 'deleted', 'member_added', 'member_updated', 'member_removed'],
  member: ['joined', 'updated', 'left'],
  holiday_calendar: ['created', 'deleted'],
  workspace: ['updated'],
  token: ['created', 'revoked'],
  webhook: ['created', 'updated', 'deleted', 'failing', 'disabled', 'test'],
  slack: ['connected', 'disconnected', 'post_failed', 'report_failed'],
};

export const wholeGroup = (group: string): string => `${group}.*`;

/** Every type that is meant by these patterns, in the order of the groups. */
export function typesOf(patterns: readonly string[]): readonly string[] {
  return Object.entries(eventGroups).flatMap(([group, names]) =>
    names
      .map((name) => `${group}.${name}`)
      .filter((type) => [type, wholeGroup(group), '*'].some((one) => patterns.includes(one))),
  );
}

/** A type taken in or out: of a whole group the others stay, one by one. */
export function withType(patterns: readonly string[], type: string, isWanted: boolean): readonly string[] {
  const group = type.split('.')[0] ?? '';
  const whole = wholeGroup(group);
  const single = patterns.includes(whole)
    ? [...patterns.filter((one) => one !== whole), ...typesOf([whole])]
    : patterns;
  const others = single.filter((one) => one !== type);
  return isWanted ? [...others, type] : others;
}

/** A whole group, taken in or out. */
export function withGroup(patterns: readonly string[], group: string, isWanted: boolean): readonly string[] {
  const others = patterns.filter((one) => !one.startsWith(`${group}.`));
  return isWanted ? [...others, wholeGroup(group)] : others;
}
