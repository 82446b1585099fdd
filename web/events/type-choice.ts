import {matchesPattern} from './filter.ts';

/** The pattern for the whole group of an event type, such as `standup.*`. */
export function toGroupPattern(type: string): string {
  return `${type.slice(0, type.indexOf('.'))}.*`;
}

/** Adds a type or group to the chosen patterns, or removes it. `all`: every event type. */
export function togglePattern(chosen: readonly string[], pattern: string, all: readonly string[]): string[] {
  const isOn = chosen.some((one) => one === pattern || matchesPattern(one, pattern));
  if (pattern.endsWith('.*')) {
    const others = chosen.filter((one) => one !== pattern && toGroupPattern(one) !== pattern);
    return isOn ? others : [...others, pattern];
  }
  const group = toGroupPattern(pattern);
  const siblings = all.filter((type) => toGroupPattern(type) === group);
  const before = chosen.includes(group) ? siblings : chosen.filter((one) => toGroupPattern(one) === group);
  const now = isOn ? before.filter((one) => one !== pattern) : [...before, pattern];
  const others = chosen.filter((one) => one !== group && toGroupPattern(one) !== group);
  return [...others, ...(now.length === siblings.length ? [group] : now)];
}
