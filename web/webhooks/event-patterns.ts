import type {EventTypeInfo} from '../parts/event-types.ts';

export function groupEventTypes(
  types: readonly EventTypeInfo[],
): readonly (readonly [string, readonly EventTypeInfo[]])[] {
  const groups = new Set(types.map(({group}) => group));
  return [...groups].map((group) => [group, types.filter((one) => one.group === group)] as const);
}

export function findMatchingTypes(
  patterns: readonly string[],
  types: readonly EventTypeInfo[],
): readonly string[] {
  const isMeant = ({type, group}: EventTypeInfo): boolean =>
    [type, group, '*'].some((one) => patterns.includes(one));
  return types.filter(isMeant).map(({type}) => type);
}

/** Adds or removes an event type. Removing one of a whole group keeps the others as single types. */
export function toggleType(
  patterns: readonly string[],
  type: EventTypeInfo,
  isWanted: boolean,
  types: readonly EventTypeInfo[],
): readonly string[] {
  const single = patterns.includes(type.group)
    ? [...patterns.filter((one) => one !== type.group), ...findMatchingTypes([type.group], types)]
    : patterns;
  const others = single.filter((one) => one !== type.type);
  return isWanted ? [...others, type.type] : others;
}

export function toggleGroup(
  patterns: readonly string[],
  group: string,
  isWanted: boolean,
): readonly string[] {
  const others = patterns.filter((one) => !one.startsWith(group.slice(0, -1)));
  return isWanted ? [...others, group] : others;
}
