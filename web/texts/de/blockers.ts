import type {blockers as english} from '../en/blockers.ts';
import {plural} from '../plural.ts';

const count = (amount: number, one: string, other: string): string =>
  `${amount} ${plural('de', amount, {one, other})}`;

export const blockers: typeof english = {
  sub: (open, old) =>
    `${count(open, 'offener Blocker', 'offene Blocker')}${old === 0 ? '' : `, ${old} seit drei Tagen oder länger`}`,
  filters: 'Filter',
  team: 'Team',
  mine: 'Meine Teams',
  everyTeam: 'Alle Teams',
  state: 'Status',
  states: {open: 'Offen', acknowledged: 'Übernommen', resolved: 'Gelöst'},
  author: 'Gemeldet von',
  anyone: 'Allen',
  chosenPerson: 'Einer Person',
  me: (name) => `${name} (du)`,
  list: 'Blocker',
  days: (days) => (days === 0 ? 'heute' : count(days, 'Tag', 'Tage')),
  daysOpen: (days) => (days === 0 ? 'Heute gemeldet' : `Seit ${count(days, 'Tag', 'Tagen')} offen`),
  took: (days) => (days === 0 ? 'Am selben Tag gelöst' : `Nach ${count(days, 'Tag', 'Tagen')} gelöst`),
  fromStandup: 'aus einem Standup',
  readStandup: (name) => `aus einem Standup von ${name}`,
  acknowledgedBy: (name) => `${name} ist dran`,
  acknowledgedByYou: 'Du bist dran',
  resolvedBy: (name) => `Gelöst von ${name}`,
  resolvedByYou: 'Von dir gelöst',
  formerMember: '[ehemaliges Mitglied]',
  unassigned: 'Noch niemand dran',
  actions: {acknowledge: 'Übernehmen', resolve: 'Lösen', again: 'Wieder öffnen', edit: 'Bearbeiten'},
  done: {acknowledged: 'Du bist dran.', resolved: 'Gelöst.', raised: 'Wieder geöffnet.'},
  one: {
    title: 'Blocker',
    of: (name) => `Blocker von ${name}`,
    back: 'Alle Blocker',
    gone: 'Blocker nicht gefunden',
    goneText: 'Vielleicht wurde er mit seinem Standup gelöscht.',
  },
  older: 'Mehr anzeigen',
  resolvedFold: 'Gelöst',
  empty: {
    open: {
      title: 'Keine offenen Blocker',
      text: 'Sehr gut! Wenn dich etwas aufhält, melde es hier oder in deinem Standup.',
    },
    acknowledged: {
      title: 'Keine übernommenen Blocker',
      text: 'Übernommene Blocker erscheinen hier, bis sie gelöst sind.',
    },
    resolved: {title: 'Noch keine gelösten Blocker', text: 'Gelöste Blocker erscheinen hier.'},
    noTeam: {
      title: 'Du bist noch in keinem Team',
      text: 'Auf „Heute“ siehst du alle Teams und wie du beitrittst. Wähle „Alle Teams“, um alle Blocker zu lesen.',
    },
  },
  raise: {
    open: 'Blocker melden',
    title: 'Blocker melden',
    text: 'Was blockiert dich?',
    hint: 'Alle im Team können es lesen.',
    team: 'Team',
    blockedMember: 'Wer ist blockiert?',
    submit: 'Melden',
    cancel: 'Abbrechen',
    discard: 'Verwerfen',
    raised: 'Gemeldet. Dein Team kann es sehen.',
    kept: 'Dein Text bleibt in diesem Browser, bis du ihn meldest oder verwirfst.',
  },
  edit: {text: 'Was blockiert dich?', save: 'Speichern', cancel: 'Abbrechen'},
  missing: 'Beschreibe den Blocker.',
  keys: {move: 'bewegen', acknowledge: 'übernehmen', resolve: 'lösen', edit: 'bearbeiten'},
};
