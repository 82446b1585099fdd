import type {blockers as english} from '../en/blockers.ts';
import {plural} from '../plural.ts';

const count = (amount: number, one: string, other: string): string =>
  `${amount} ${plural('de', amount, {one, other})}`;

export const blockers: typeof english = {
  sub: (open, old) =>
    `${count(open, 'offenes Hindernis', 'offene Hindernisse')}${old === 0 ? '' : `, ${old} seit drei Tagen oder länger`}`,
  filters: 'Filter',
  team: 'Team',
  mine: 'Meine Teams',
  everyTeam: 'Alle Teams',
  state: 'Stand',
  states: {open: 'Offen', acknowledged: 'In Arbeit', resolved: 'Behoben'},
  author: 'Gemeldet von',
  anyone: 'Allen',
  chosenPerson: 'Einer Person',
  me: (name) => `${name} (du)`,
  list: 'Hindernisse',
  days: (days) => (days === 0 ? 'heute' : count(days, 'Tag', 'Tage')),
  daysOpen: (days) => (days === 0 ? 'Heute gemeldet' : `Offen seit ${count(days, 'Tag', 'Tagen')}`),
  took: (days) => (days === 0 ? 'Am selben Tag behoben' : `Nach ${count(days, 'Tag', 'Tagen')} behoben`),
  fromStandup: 'aus einem Standup',
  readStandup: (name) => `aus einem Standup von ${name}`,
  acknowledgedBy: (name) => `${name} kümmert sich`,
  acknowledgedByYou: 'Du kümmerst dich',
  resolvedBy: (name) => `Behoben von ${name}`,
  resolvedByYou: 'Von dir behoben',
  somebodyGone: 'jemandem, der nicht mehr da ist',
  nobodyYet: 'Noch kümmert sich niemand',
  actions: {acknowledge: 'Ich kümmere mich', resolve: 'Behoben', again: 'Wieder melden', edit: 'Bearbeiten'},
  done: {acknowledged: 'Du kümmerst dich darum.', resolved: 'Behoben.', raised: 'Wieder gemeldet.'},
  one: {
    title: 'Ein Hindernis',
    of: (name) => `Ein Hindernis von ${name}`,
    back: 'Alle Hindernisse',
    gone: 'Dieses Hindernis gibt es nicht mehr',
    goneText: 'Es wurde mit seinem Standup gelöscht, oder es gab es nie.',
  },
  older: 'Mehr zeigen',
  resolvedFold: 'Behoben',
  empty: {
    open: {
      title: 'Niemandem steht etwas im Weg',
      text: 'Das ist eine gute Nachricht. Wenn dich etwas aufhält, melde es hier oder in deinem Standup.',
    },
    acknowledged: {
      title: 'Um keines kümmert sich gerade jemand',
      text: 'Hier steht ein Hindernis, sobald sich jemand kümmert, bis es behoben ist.',
    },
    resolved: {title: 'Noch wurde keines behoben', text: 'Was behoben ist, bleibt hier zum Nachlesen.'},
    noTeam: {
      title: 'Du bist noch in keinem Team',
      text: 'Auf „Heute“ siehst du, welche es gibt und wie du in eines kommst. Wähle „Alle Teams“, um die aller zu lesen.',
    },
  },
  raise: {
    open: 'Hindernis melden',
    title: 'Hindernis melden',
    text: 'Was steht im Weg?',
    hint: 'Alle im Team lesen es.',
    team: 'Team',
    whose: 'Wen es aufhält',
    submit: 'Melden',
    cancel: 'Abbrechen',
    discard: 'Verwerfen',
    raised: 'Gemeldet. Dein Team sieht es.',
    kept: 'Was du schreibst, bleibt in diesem Browser, bis du es meldest oder verwirfst.',
  },
  edit: {text: 'Was steht im Weg?', save: 'Speichern', cancel: 'Abbrechen'},
  missing: 'Schreibe, was im Weg steht.',
  keys: {move: 'bewegen', acknowledge: 'kümmern', resolve: 'behoben', edit: 'bearbeiten'},
};
