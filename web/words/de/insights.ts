import type {insights as english} from '../en/insights.ts';
import {plural} from '../plural.ts';

const count = (amount: number, one: string, other: string): string =>
  `${amount} ${plural('de', amount, {one, other})}`;

export const insights: typeof english = {
  title: 'Auswertung',
  titleOf: (team) => `Auswertung: ${team}`,
  spans: {
    label: 'Zeitraum',
    month: 'Dieser Monat',
    weeks: 'Letzte 4 Wochen',
    quarter: 'Letzte 13 Wochen',
    own: 'Eigene Tage',
    dates: 'Von und bis',
  },
  sum: (written, expected, share, runs) =>
    `${written} von ${expected} erwarteten Standups geschrieben (${share}), ${count(runs, 'Tag', 'Tage')}.`,
  notAsked: (runs) => `Von niemandem wurde ein Standup erwartet, ${count(runs, 'Tag', 'Tage')}.`,
  daysOff: 'Freie Tage zählen nicht mit.',
  map: {
    heading: 'Wer dabei war, nach Tagen',
    label: 'Wer dabei war: Personen untereinander, Tage nebeneinander',
    person: 'Person',
    legend: 'Was die Zeichen bedeuten',
    gone: 'Jemand, der nicht mehr da ist',
    none: 'An diesem Tag nicht dabei',
    day: (date, written, expected) => `${date}: ${written} von ${expected} erwarteten Standups geschrieben`,
    dayOff: (date) => `${date}: niemand wurde erwartet`,
    holidays: (names, of) => `${names || 'Feiertag'}: ${count(of, 'Person', 'Personen')} frei`,
    because: (status, reason) => `${status} (${reason})`,
    hint: 'Wähle ein Zeichen, um mehr zu lesen. Pfeiltasten gehen von Zeichen zu Zeichen, Enter öffnet den Tag.',
    openRun: 'Tag öffnen',
    hasHoliday: 'Feiertag für manche oder alle',
  },
  numbers: {
    heading: 'Die Zahlen als Tabellen',
    byDate: 'Nach Tagen',
    byMember: 'Nach Personen',
    date: 'Tag',
    member: 'Person',
    expected: 'Erwartet',
    written: 'Geschrieben',
    late: 'davon spät',
    share: 'Anteil',
  },
  empty: {
    title: 'In diesen Tagen wurde nichts abgeschlossen',
    text: 'Ein Tag erscheint hier, sobald sein Standup geschlossen hat.',
    longer: 'Die letzten 13 Wochen ansehen',
    noSchedule: {
      title: 'Dieses Team hat noch keine Termine',
      text: 'Es hat keinen Zeitplan. Mit einem öffnet und schließt sein Standup von selbst, und diese Seite füllt sich Tag für Tag.',
      lead: 'Zeitplan wählen',
      member: 'Zu Heute',
    },
    nobody: {
      title: 'An diesen Tagen war niemand dabei',
      text: 'Das Team war leer, als seine Standups öffneten.',
      action: 'Wer im Team ist',
    },
  },
  export: {
    open: 'Exportieren',
    heading: 'Als CSV exportieren',
    participation: 'Beteiligung',
    participationText: 'Wie viele wie standen: eine Zeile je Tag, dann eine je Person.',
    absences: 'Abwesenheiten',
    absencesText: 'Wer abwesend war oder aussetzte, mit den genannten Gründen.',
    start: (what) => `${what} herunterladen`,
    stop: 'Anhalten',
  },
  overview: {
    title: 'Auswertung aller Teams',
    mine: 'Meine Teams',
    all: 'Alle Teams',
    which: 'Welche Teams',
    team: 'Team',
    trend: 'Nach Tagen',
    trendOf: (team, runs) => `Beteiligung von ${team}, ${count(runs, 'Tag', 'Tage')}`,
    noRun: 'nichts abgeschlossen',
    more: 'Weitere Teams',
    none: {
      title: 'Du bist in keinem Team',
      text: 'Alle Teams des Arbeitsbereichs lassen sich trotzdem ansehen.',
      action: 'Alle Teams ansehen',
    },
    noTeams: {
      title: 'Es gibt noch keine Teams',
      text: 'Jedes Team bekommt hier eine Zeile. „Heute“ zeigt, wie du das erste anlegst.',
    },
  },
  run: {
    title: (team, date) => `${team}, ${date}`,
    neighbours: 'Andere Tage',
    previous: 'Voriges Standup',
    next: 'Nächstes Standup',
    back: 'Zur Auswertung',
    states: {
      open: 'Offen',
      closed: 'Geschlossen',
      missed: 'Nie geöffnet',
      cancelled: 'Abgebrochen',
    },
    whyMissed:
      'Der Dienst war nicht da, oder das Team pausierte, bevor es öffnen konnte. Es zählt für niemanden.',
    whyCancelled: 'Das Team begann zu pausieren, während es offen war. Es zählt für niemanden.',
    times: (opens, closes, place) => `${opens} bis ${closes} (${place})`,
    adHoc: 'Von Hand geöffnet',
    sum: (written, expected) => `${written} von ${expected} dabei`,
    late: (amount) => `${amount} zu spät`,
    lateBy: (age) => `${age} zu spät`,
    until: (status, day) => `${status} bis ${day}`,
    erased: 'Was sie schrieben, wurde gelöscht.',
    hidden: 'Hier ist nicht Platz für alle Worte.',
    gone: 'Jemand, der nicht mehr da ist',
    reminders: 'Erinnerungen',
    plan: (minutes) =>
      minutes.length === 0
        ? 'Der Zeitplan erinnerte nicht vor dem Ende.'
        : `Der Zeitplan erinnerte ${minutes.map((one) => `${one} min`).join(', ')} vor dem Ende.`,
    noPlan: 'Es ging nach keinem Zeitplan: erinnert wurde, wenn es jemand wollte.',
    missedSteps: {
      open: (time) => `Die Öffnung um ${time} kam zu spät.`,
      remind: (time) => `Die Erinnerung um ${time} ging nicht hinaus.`,
      close: (time) => `Das Ende um ${time} kam zu spät.`,
    },
    unreachable: (names) => `Slack konnte ${names} nicht erreichen.`,
    none: {
      title: 'An diesem Tag gab es kein Standup',
      text: 'Es ist da, sobald es geöffnet hat.',
      action: 'Diesen Tag ansehen',
    },
  },
};
