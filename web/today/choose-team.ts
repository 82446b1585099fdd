import type {Schema} from '../api/schema.ts';

const place = 'standup:team';

/** The team of the address, else the one looked at last, else the first of one's own. */
export function chooseTeam(asked: string | undefined, me: Schema<'Me'> | undefined): string | undefined {
  return asked ?? localStorage.getItem(place) ?? me?.teams?.[0]?.slug;
}

export function keepTeam(slug: string): void {
  localStorage.setItem(place, slug);
}

/** It is not there any more. */
export function forgetTeam(slug: string): void {
  if (localStorage.getItem(place) === slug) localStorage.removeItem(place);
}
