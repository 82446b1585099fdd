import type {parts as english, status as englishStatus} from '../en/parts.ts';
import {plural} from '../plural.ts';

export const status: typeof englishStatus = {
  posted: 'Da',
  late: 'Verspätet',
  expected: 'Erwartet',
  missed: 'Verpasst',
  away: 'Abwesend',
  holiday: 'Feiertag',
  skipped: 'Setzt aus',
  unreachable: 'Nicht erreichbar',
  not_expected: 'Nicht gefragt',
};

export const parts: typeof english = {
  you: 'du',
  undo: 'Rückgängig',
  dismiss: 'Ausblenden',
  close: 'Schließen',
  cancel: 'Abbrechen',
  tryAgain: 'Erneut versuchen',
  tryAgainIn: (seconds) => `Neuer Versuch in ${seconds} s`,
  notices: 'Mitteilungen',
  working: 'Einen Moment …',
  loading: 'Lädt …',
  requestId: 'Anfrage',
  optional: 'freiwillig',
  noMatches: 'Nichts passt dazu.',
  choose: 'Auswählen …',
  edited: 'bearbeitet',
  late: 'verspätet',
  answers: {yes: 'Ja', no: 'Nein', mood: (value) => `${value} von 5`},
  standupBy: (name) => `Standup von ${name}`,
  now: 'jetzt',
  age: {
    minutes: (amount) => `${amount} min`,
    hours: (amount) => `${amount} h`,
    days: (amount) => `${amount} ${plural('de', amount, {one: 'Tag', other: 'Tg.'})}`,
  },
  timeOn: (day, time) => `${day}, ${time}`,
  timeIn: (time, place) => `${time} in ${place}`,
  ago: (age) => `vor ${age}`,
  ahead: (age) => `in ${age}`,
  from: (day) => `ab ${day}`,
  checkForm: 'Bitte prüfe deine Eingaben',
  unexpected: {
    title: 'Da ging etwas schief',
    detail: 'Auf dieser Seite trat ein unerwarteter Fehler auf.',
  },
  cure: {
    noAnswer: 'Prüfe die Verbindung. Ein neuer Versuch ist möglich, und nichts Getipptes geht verloren.',
    signedOut: 'Melde dich neu an; was du getippt hast, bleibt.',
    forbidden: 'Ein Inhaber kann das, oder er ändert deine Rolle.',
    notFound: 'Vielleicht hat es jemand gelöscht. Lade die Seite neu.',
    changed: 'Inzwischen hat es jemand geändert. Sieh den neuesten Stand an und versuche es dann neu.',
    invalid: 'Berichtige es und versuche es dann neu.',
    tooMany: 'Zu viele Anfragen auf einmal. Warte einen Moment.',
    workspaceFull:
      'Owner oder Admins schaffen Platz auf der Seite Arbeitsbereich oder bitten den Betreiber um mehr.',
    unavailable: 'Der Dienst ist ausgelastet oder startet neu. Versuche es gleich noch einmal.',
    broken: 'Versuche es noch einmal. Bleibt es so, nenne dem Betreiber die Nummer der Anfrage.',
  },
};
