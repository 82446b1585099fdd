import {matchesPattern} from './filter.ts';

/** The pattern for the whole group of an event type, such as `standup.*`. */
export function groupOf(type: string): string {
  return `${type.slice(0, type.indexOf('.'))}.*`;
}

/** Adds a type or group to the chosen patterns, or removes it. `all`: every event type. */
export function toggle(chosen: readonly string[], pattern: string, all: readonly string[]): string[] {
  const isOn = chosen.some((one) => one === pattern || matchesPattern(one, pattern));
  if (pattern.endsWith('.*')) {
    const others = chosen.filter((one) => one !== pattern && groupOf(one) !== pattern);
    return isOn ? others : [...others, pattern];
  }
  const group = groupOf(pattern);
  const siblings = all.filter((type) => groupOf(type) === group);
  const before = chosen.includes(group) ? siblings : chosen.filter((one) => groupOf(one) === group);
  const now = isOn ? before.filter((one) => one !== pattern) : [...before, pattern];
  const others = chosen.filter((one) => one !== group && groupOf(one) !== group);
  return [...others, ...(now.length === siblings.length ? [group] : now)];
}
