import type {ActionsBlock} from '@slack/types';
import {isId} from '../../../domain/core/ids.js';
import {packValue, parseValue} from '../blocks/button-value.js';
import {actions} from '../blocks/names.js';
import type {Words} from '../../words/words.js';

/** A standup, and a revision that it had: by that its author finds what it said once it is gone. */
export interface ChosenStandup {
  readonly id: string;
  readonly revision: number;
}

/** The menu of a standup. Whether somebody may use it is seen when they choose. */
export function presentStandupMenu({shown}: Words, {id, revision}: ChosenStandup): ActionsBlock {
  const option = (act: 'edit' | 'delete') =>
    ({text: {type: 'plain_text', text: shown[act]}, value: packValue({[act]: id, revision})}) as const;
  const menu = {
    type: 'overflow',
    action_id: actions.standupMenu,
    options: [option('edit'), option('delete')],
  } as const;
  return {type: 'actions', elements: [{...menu, options: [...menu.options]}]};
}

/** The choice that somebody made there; undefined for one that is none of ours. */
export function parseChoice(
  value: Readonly<Record<string, unknown>>,
): {readonly act: 'edit' | 'delete'; readonly standup: ChosenStandup} | undefined {
  const act = 'delete' in value ? 'delete' : 'edit';
  const standup = chosenIn(value[act], value['revision']);
  return standup && {act, standup};
}

/** The standup that a view asks about. */
export function parseChosen(metadata: string): ChosenStandup | undefined {
  const {chosen} = parseValue(metadata);
  const {id, revision} = (chosen ?? {}) as Record<string, unknown>;
  return chosenIn(id, revision);
}

function chosenIn(id: unknown, revision: unknown): ChosenStandup | undefined {
  if (typeof id !== 'string' || !isId('standup', id) || !Number.isInteger(revision)) return undefined;
  return {id, revision: Number(revision)};
}
