import {formatList, formatTime} from '../../texts/format.ts';
import {texts} from '../../texts/texts.ts';
import type {OwnReminder} from './own-reminder.ts';

/** Says what waits for the person, and until when. */
export function describeReminder({teams}: OwnReminder): string {
  return texts.today.remind.due({
    teams: formatList(teams.map(({name}) => name)),
    time: formatTime(teams[0]?.closes_at ?? ''),
  });
}
