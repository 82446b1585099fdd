import type {Event} from '../api/schema.ts';
import {findText, texts} from '../texts/texts.ts';

/** Looks up names of members, service accounts and teams. */
export interface NameLookup {
  /** Name of a member or service account, by id. */
  readonly of: (id: string) => string | undefined;
  /** Name of a team, by id or slug. */
  readonly team: (team: string) => string | undefined;
}

/** Names an event's actor as the subject of a sentence. */
export function findActorName(actor: Event['actor'], names: NameLookup): string {
  if (actor === null) return texts.events.someone;
  if (actor.id === null) return actor.type === 'operator' ? texts.events.operator : texts.events.service;
  const name = names.of(actor.id);
  if (name !== undefined) return name;
  return actor.type === 'member' ? texts.events.someone : texts.events.program({tail: actor.id.slice(-4)});
}

export function nameOfSource(source: string): string {
  return findText(texts.events.sources, source) ?? texts.events.otherSource({source});
}
