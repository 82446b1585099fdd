import {words} from '../words/words.ts';
import type {Event} from './filter.ts';

/** Looks up names of members, service accounts and teams. */
export interface Names {
  /** A member or a service account. */
  readonly of: (id: string) => string | undefined;
  /** By id or slug. */
  readonly team: (team: string) => string | undefined;
}

/** The actor as the subject of a sentence. */
export function nameOfActor(actor: Event['actor'], names: Names): string {
  if (actor === null) return words.events.somebody;
  if (actor.id === null) return actor.type === 'operator' ? words.events.operator : words.events.service;
  const name = names.of(actor.id);
  if (name !== undefined) return name;
  return actor.type === 'member' ? words.events.somebody : words.events.program(actor.id.slice(-4));
}

export function nameOfSource(source: string): string {
  return words.events.sources[source] ?? words.events.otherSource(source);
}
