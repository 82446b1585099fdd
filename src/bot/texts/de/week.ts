import {createPlural} from '../plural.js';
import type {Texts} from '../catalogue.js';

const plural = createPlural('de');

export const week: Texts['week'] = {
  title: (monday, sunday) => `Die Woche · ${monday} bis ${sunday}`,
  posted: (count, of) => `${count} von ${of} geschrieben`,
  participation: (percent) => `Beteiligung ${percent} %`,
  day: (day, count, of) =>
    of === 0 ? `${day}: kein Standup erwartet` : `${day}: ${count} von ${of} geschrieben`,
  report: 'Bericht',
  byMember: 'Wer geschrieben hat',
  often: (name, times) => `${name} ${times}`,
  oftenOf: (name, times, of) => `${name} ${times} von ${of}`,
  andMore: (names, more) => `${names} und ${more} weitere`,
  blockers: (raised, resolved, open) =>
    `Blocker · ${raised} gemeldet · ${resolved} gelöst · ${open} noch offen`,
  blocker: (who, text, since, days) =>
    `${who}: ${text} (seit ${since}, ${plural(days, {one: '# Tag', other: '# Tage'})})`,
  moreBlockers: (count) => `und ${plural(count, {one: '# weiterer', other: '# weitere'})}`,
};
