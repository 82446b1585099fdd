import type {Overflow} from '@slack/types';
import {packValue} from '../blocks/button-value.js';
import {actions} from '../blocks/names.js';
import type {Words} from '../../words/words.js';

/** The menu of the message of a day. `team`: the drawn half of its id. */
export function dayMenu({leads}: Words, team: string, date: string): Overflow {
  const option = (text: string, value: object) => ({
    text: {type: 'plain_text', text} as const,
    value: packValue(value),
  });
  return {
    type: 'overflow',
    action_id: actions.dayMenu,
    options: [
      option(leads.missing, {act: 'missing', team}),
      option(leads.postMine, {act: 'post', team, date}),
    ],
  };
}
