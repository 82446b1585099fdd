import type {Button, KnownBlock} from '@slack/types';
import type {Blocker} from '../../../domain/blockers/blocker.js';
import {packValue} from '../blocks/button-value.js';
import {actions} from '../blocks/names.js';
import type {Words} from '../../words/words.js';

/*
 * Blockers in Slack: what is shown of them beside forms, digests and Homes, and what is done with them there. What they say stands in
 * those.
 */

/** What may be done with a blocker that is shown to a whole channel; who may do it is seen when it is pressed. */
export function presentBlockerButtons(
  {blockers: words}: Words,
  {id, state}: Pick<Blocker, 'id' | 'state'>,
): KnownBlock[] {
  if (state === 'resolved') return [];
  const button = (action: string, text: string): Button => ({
    type: 'button',
    action_id: action,
    text: {type: 'plain_text', text},
    value: packValue({blocker: id}),
  });
  const elements = [
    ...(state === 'raised' ? [button(actions.acknowledgeBlocker, words.acknowledge)] : []),
    button(actions.resolveBlocker, words.resolve),
  ];
  return [{type: 'actions', elements}];
}
