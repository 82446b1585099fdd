import type {parts as english, status as englishStatus} from '../en/parts.ts';
import {plural} from '../plural.ts';

export const status: typeof englishStatus = {
  posted: 'Geschrieben',
  late: 'Verspätet',
  expected: 'Ausstehend',
  missed: 'Verpasst',
  away: 'Abwesend',
  holiday: 'Feiertag',
  skipped: 'Setzt aus',
  unreachable: 'Nicht erreichbar',
  not_expected: 'Nicht erwartet',
};

export const parts: typeof english = {
  you: 'du',
  undo: 'Rückgängig',
  dismiss: 'Ausblenden',
  close: 'Schließen',
  cancel: 'Abbrechen',
  tryAgain: 'Erneut versuchen',
  tryAgainIn: (seconds) => `Erneut versuchen in ${seconds} s`,
  notices: 'Mitteilungen',
  working: 'Einen Moment …',
  loading: 'Lädt …',
  requestId: 'Anfrage',
  optional: 'optional',
  noMatches: 'Keine Treffer',
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
  timeIn: (time, city) => `${time} in ${city}`,
  ago: (age) => `vor ${age}`,
  ahead: (age) => `in ${age}`,
  from: (day) => `ab ${day}`,
  checkForm: 'Bitte prüfe deine Eingaben',
  unexpected: {
    title: 'Etwas ist schiefgegangen',
    detail: 'Auf dieser Seite trat ein unerwarteter Fehler auf.',
  },
  cure: {
    noAnswer: 'Prüfe deine Verbindung und versuche es erneut. Dein Text ist gespeichert.',
    signedOut: 'Melde dich wieder an. Dein Text ist gespeichert.',
    forbidden: 'Bitte einen Inhaber, das zu tun oder deine Rolle zu ändern.',
    notFound: 'Vielleicht wurde es gelöscht. Lade die Seite neu.',
    changed: 'Jemand anderes hat es geändert. Prüfe die neueste Version und versuche es erneut.',
    invalid: 'Korrigiere es und versuche es erneut.',
    tooMany: 'Zu viele Anfragen. Warte einen Moment.',
    workspaceFull:
      'Ein Inhaber oder Admin kann auf der Seite „Workspace“ Platz schaffen oder den Betreiber um mehr bitten.',
    unavailable: 'Der Dienst ist ausgelastet oder startet neu. Versuche es gleich erneut.',
    broken: 'Versuche es erneut. Wenn es weiter fehlschlägt, schick deinem Betreiber die Anfrage-ID.',
  },
};
