import type {KnownBlock} from '@slack/types';
import type {Blocker} from '../../../domain/blockers/blocker.js';
import {packValue} from '../blocks/button-value.js';
import {actions} from '../blocks/names.js';
import {button, actionsRow} from '../blocks/shapes.js';
import type {Texts} from '../../texts/translation.js';

/*
 * Blockers in Slack: how forms, digests and Homes show them, and their actions there. The texts are in those.
 */

/** The buttons of a blocker in a channel; permission is checked on the press. */
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
