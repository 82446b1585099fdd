import type {Blocker, Schema} from '../api/schema.ts';
import {texts} from '../texts/texts.ts';

type CurrentPrincipal = Pick<Schema<'Me'>, 'principal'>;

interface AuthorOption {
  readonly id: string;
  readonly label: string;
}

export function sortViewerFirst(
  people: Iterable<readonly [string, string]>,
  {principal}: CurrentPrincipal,
): readonly AuthorOption[] {
  const others = new Map(people);
  others.delete(principal.id);
  const named = [...others].map(([id, label]) => ({id, label}));
  return [
    {id: principal.id, label: texts.blockers.me({name: principal.name})},
    ...named.toSorted((a, b) => a.label.localeCompare(b.label)),
  ];
}

/** Lists the viewer and the authors of the blockers shown. */
export function listAuthors(
  rows: readonly Blocker[],
  me: CurrentPrincipal,
  chosen: string | undefined,
): readonly AuthorOption[] {
  const others = new Map(rows.map(({author}) => [author.id, author.name]));
  if (chosen !== undefined && !others.has(chosen)) others.set(chosen, texts.blockers.chosenPerson);
  return sortViewerFirst(others, me);
}

/** The request body of a new blocker; without an author, the viewer becomes the author. */
export function buildBlockerRequest(
  {text, author}: {readonly text: string; readonly author: string},
  team: string,
): Schema<'NewBlocker'> {
  return {team, text, ...(author !== '' && {author})};
}
