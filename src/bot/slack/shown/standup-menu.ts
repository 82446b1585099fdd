import type {ActionsBlock} from '@slack/types';
import {isId} from '../../../domain/core/ids.js';
import {packValue, parseValue} from '../blocks/button-value.js';
import {actions} from '../blocks/names.js';
import {option, overflow, actionsRow} from '../blocks/shapes.js';
import type {Texts} from '../../texts/translation.js';

/** A standup and a revision, by which the author can still get the content after its deletion. */
export interface ChosenStandup {
  readonly id: string;
  readonly revision: number;
}

/** Presents the menu of a standup. Permission is checked when a person chooses an entry. */
export function presentStandupMenu({shown}: Texts, {id, revision}: ChosenStandup): ActionsBlock {
  const acts = (['edit', 'delete'] as const).map((act) =>
    option(packValue({[act]: id, revision}), shown[act]),
  );
  return actionsRow(overflow(actions.standupMenu, acts));
}

/** Parses a choice in the menu; undefined if the choice is not from this service. */
export function parseMenuChoice(
  value: Readonly<Record<string, unknown>>,
): {readonly act: 'edit' | 'delete'; readonly standup: ChosenStandup} | undefined {
  const act = 'delete' in value ? 'delete' : 'edit';
  const standup = toChosenStandup(value[act], value['revision']);
  return standup && {act, standup};
}

export function parseChosenStandup(metadata: string): ChosenStandup | undefined {
  const {chosen} = parseValue(metadata);
  const {id, revision} = (chosen ?? {}) as Record<string, unknown>;
  return toChosenStandup(id, revision);
}

function toChosenStandup(id: unknown, revision: unknown): ChosenStandup | undefined {
  if (typeof id !== 'string' || !isId('standup', id) || !Number.isInteger(revision)) return undefined;
  return {id, revision: Number(revision)};
}
