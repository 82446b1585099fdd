import {removeItem, storeItem, readItem} from '../api/storage.ts';
import type {Schema} from '../api/schema.ts';

const storageKey = 'standup:team';

/** Slug of the team to show: the one in the address, else the last viewed, else the viewer's first. */
export function chooseTeam(asked: string | undefined, me: Schema<'Me'> | undefined): string | undefined {
  return asked ?? readItem(storageKey) ?? me?.teams?.[0]?.slug;
}

export function storeTeam(slug: string): void {
  storeItem(storageKey, slug);
}

/** Removes a team that no longer exists from the browser's storage. */
export function forgetTeam(slug: string): void {
  if (readItem(storageKey) === slug) removeItem(storageKey);
}
