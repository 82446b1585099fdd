import type {Overflow} from '@slack/types';
import {packValue} from '../blocks/button-value.js';
import {actions} from '../blocks/names.js';
import {option, overflow} from '../blocks/shapes.js';
import type {Texts} from '../../texts/translation.js';

/** The menu of a day's message. `team`: its id suffix. */
export function dayMenu({leads}: Texts, team: string, date: string): Overflow {
  return overflow(actions.dayMenu, [
    option(packValue({act: 'missing', team}), leads.missing),
    option(packValue({act: 'post', team, date}), leads.postMine),
  ]);
}
