import type {KnownBlock} from '@slack/types';
import type {Blocker} from '../../../domain/blockers/blocker.js';
import {packValue} from '../blocks/button-value.js';
import {actions} from '../blocks/names.js';
import {button, actionsRow} from '../blocks/shapes.js';
import type {Texts} from '../../texts/translation.js';

/* Blockers in Slack: their buttons, and what these buttons do. */

/** Returns the buttons of a blocker in a channel. Permission is checked when a person presses one. */
export function presentBlockerButtons(
  {blockers: texts}: Texts,
  {id, state}: Pick<Blocker, 'id' | 'state'>,
): KnownBlock[] {
  if (state === 'resolved') return [];
  const value = packValue({blocker: id});
  const resolve = button(actions.resolveBlocker, texts.resolve, value);
  if (state !== 'raised') return [actionsRow(resolve)];
  return [actionsRow(button(actions.acknowledgeBlocker, texts.acknowledge, value), resolve)];
}
