// Steps that a person skipped, and hints that they closed. They stay in this browser: a lost one costs a click.
import {readItem, storeItem} from '../../api/storage.ts';
import {createStore, useStore} from '../../parts/store.ts';

const keyOf = (member: string): string => `standup:setup:${member}`;
const changes = createStore(0);

export function readSkips(member: string): ReadonlySet<string> {
  return new Set(readItem(keyOf(member))?.split(' '));
}

/** Keeps a step as skipped, or `checklist`, `welcome` or `zone` as over. */
export function addSkip(member: string, skip: string): void {
  const skips = readSkips(member);
  if (skips.has(skip)) return;
  storeItem(keyOf(member), [...skips, skip].join(' '));
  changes.set(changes.get() + 1);
}

/** The member's skips, read again after each change on this page. */
export function useSkips(member: string): ReadonlySet<string> {
  useStore(changes);
  return readSkips(member);
}
