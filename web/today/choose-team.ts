import {forget, keep, readKept} from '../api/storage.ts';
import type {Schema} from '../api/schema.ts';

const place = 'standup:team';

/** The team of the address, else the one looked at last, else the first of one's own. */
export function chooseTeam(asked: string | undefined, me: Schema<'Me'> | undefined): string | undefined {
  return asked ?? readKept(place) ?? me?.teams?.[0]?.slug;
}

export function keepTeam(slug: string): void {
  keep(place, slug);
}

/** It is not there any more. */
export function forgetTeam(slug: string): void {
  if (readKept(place) === slug) forget(place);
}
