import type {Overflow} from '@slack/types';
import {packValue} from '../blocks/button-value.js';
import {actions} from '../blocks/names.js';
import {option, overflow} from '../blocks/shapes.js';
import type {Texts} from '../../texts/translation.js';

/** Returns the menu in the message of a day. `team`: the team's id suffix. */
export function createDayMenu({leads}: Texts, team: string, date: string): Overflow {
  return overflow(actions.dayMenu, [
    option(packValue({act: 'missing', team}), leads.missing),
    option(packValue({act: 'post', team, date}), leads.postMine),
  ]);
}
