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
    dates: 'Zeitraum',
  },
  sum: (written, expected, share, runs) =>
    `${written} von ${expected} erwarteten Standups geschrieben (${share}) in ${count(runs, 'Runde', 'Runden')}.`,
  notAsked: (runs) => `Keine Standups erwartet in ${count(runs, 'Runde', 'Runden')}.`,
  daysOff: 'Freie Tage zählen nicht mit.',
  map: {
    heading: 'Wer geschrieben hat, nach Tagen',
    label: 'Wer geschrieben hat, nach Tagen: Personen in Zeilen, Tage in Spalten',
    person: 'Person',
    legend: 'Bedeutung der Zeichen',
    gone: 'Ehemaliges Mitglied',
    none: 'Nicht in dieser Runde',
    day: (date, written, expected) => `${date}: ${written} von ${expected} erwarteten Standups geschrieben`,
    dayOff: (date) => `${date}: kein Standup erwartet`,
    holidays: (names, of) => `${names || 'Feiertag'}: ${count(of, 'Person', 'Personen')} frei`,
    because: (status, reason) => `${status} (${reason})`,
    hint: 'Wähle ein Zeichen, um mehr zu lesen. Pfeiltasten wechseln das Zeichen, Enter öffnet die Runde.',
    openRun: 'Runde öffnen',
    hasHoliday: 'Feiertag für manche oder alle',
  },
  numbers: {
    heading: 'Tabellen',
    byDate: 'Nach Tagen',
    byMember: 'Nach Personen',
    date: 'Tag',
    member: 'Person',
    expected: 'Erwartet',
    written: 'Geschrieben',
    late: 'davon verspätet',
    share: 'Anteil',
  },
  empty: {
    title: 'Keine geschlossenen Runden in diesem Zeitraum',
    text: 'Eine Runde erscheint hier, sobald sie geschlossen ist.',
    longer: 'Letzte 13 Wochen anzeigen',
    noSchedule: {
      title: 'Dieses Team hat noch keine Runden',
      text: 'Es hat keinen Zeitplan. Lege einen fest, dann öffnen und schließen seine Standups automatisch.',
      lead: 'Zeitplan festlegen',
      member: 'Zu „Heute“',
    },
    noMembers: {
      title: 'Niemand war in diesen Runden',
      text: 'Das Team hatte keine Mitglieder, als sie geöffnet wurden.',
      action: 'Mitglieder ansehen',
    },
  },
  export: {
    open: 'Exportieren',
    heading: 'Als CSV exportieren',
    participation: 'Beteiligung',
    participationText: 'Wie oft jeder Status vorkam, pro Tag und pro Person.',
    absences: 'Abwesenheiten',
    absencesText: 'Wer abwesend war oder ausgesetzt hat, mit Gründen.',
    start: (what) => `${what} herunterladen`,
    stop: 'Anhalten',
  },
  overview: {
    title: 'Auswertung für alle Teams',
    mine: 'Meine Teams',
    all: 'Alle Teams',
    which: 'Angezeigte Teams',
    team: 'Team',
    trend: 'Nach Tagen',
    trendOf: (team, runs) => `Beteiligung von ${team}, ${count(runs, 'Runde', 'Runden')}`,
    noRun: 'keine geschlossene Runde',
    more: 'Weitere Teams',
    none: {
      title: 'Du bist in keinem Team',
      text: 'Du kannst dir alle Teams im Workspace ansehen.',
      action: 'Alle Teams anzeigen',
    },
    noTeams: {
      title: 'Noch keine Teams',
      text: 'Jedes Team bekommt hier eine Zeile. Erstelle das erste auf „Heute“.',
    },
  },
  run: {
    title: (team, date) => `${team}, ${date}`,
    neighbours: 'Andere Runden',
    previous: 'Vorige Runde',
    next: 'Nächste Runde',
    back: 'Zur Auswertung',
    states: {
      open: 'Offen',
      closed: 'Geschlossen',
      missed: 'Nie geöffnet',
      cancelled: 'Abgebrochen',
    },
    whyMissed:
      'Die Runde wurde nicht geöffnet, weil der Dienst ausgefallen oder das Team pausiert war. Sie wird nicht gezählt.',
    whyCancelled: 'Das Team wurde pausiert, während die Runde offen war. Sie wird nicht gezählt.',
    times: (opens, closes, zone) => `${opens} bis ${closes} (${zone})`,
    adHoc: 'Manuell geöffnet',
    sum: (written, expected) => `${written} von ${expected} geschrieben`,
    late: (amount) => `${amount} verspätet`,
    lateBy: (age) => `${age} verspätet`,
    until: (status, day) => `${status} bis ${day}`,
    erased: 'Der Text wurde gelöscht.',
    hidden: 'Dieser Text ist zu lang, um ihn hier anzuzeigen.',
    gone: 'Ehemaliges Mitglied',
    reminders: 'Erinnerungen',
    plan: (minutes) =>
      minutes.length === 0
        ? 'Der Zeitplan hatte keine Erinnerungen vor dem Schließen.'
        : `Der Zeitplan hat ${minutes.map((one) => `${one} min`).join(', ')} vor dem Schließen erinnert.`,
    noPlan: 'Es gab keinen Zeitplan. Erinnert wurde nur, wenn es jemand ausgelöst hat.',
    missedSteps: {
      open: (time) => `Das Öffnen um ${time} kam zu spät.`,
      remind: (time) => `Die Erinnerung um ${time} wurde nicht gesendet.`,
      close: (time) => `Das Schließen um ${time} kam zu spät.`,
    },
    unreachable: (names) => `Slack konnte ${names} nicht erreichen.`,
    none: {
      title: 'An diesem Tag gab es keine Runde',
      text: 'Eine Runde erscheint, sobald sie geöffnet wird.',
      action: 'Diesen Tag anzeigen',
    },
  },
};
