import type {frame as english} from '../en/frame.ts';

export const frame: typeof english = {
  brand: 'Team Standup',
  toContent: 'Zum Inhalt',
  navigation: 'Hauptmenü',
  teams: 'Teams',
  pages: {
    today: 'Heute',
    history: 'Verlauf',
    blockers: 'Hindernisse',
    calendar: 'Kalender',
    sessions: 'Sitzungen',
    signIn: 'Anmelden',
  },
  write: 'Mein Standup schreiben',
  account: (name) => `${name}: Konto`,
  theme: {label: 'Darstellung', system: 'Wie das System', light: 'Hell', dark: 'Dunkel'},
  language: 'Sprache',
  signOut: 'Abmelden',
  commands: 'Befehle',
  requests: 'Anfragen dieser Seite',
  shortcuts: 'Tastenkürzel',
  documentation: 'API-Dokumentation',
  notLive: 'Nicht verbunden. Neuer Versuch …',
  loading: 'Lädt …',
  notFound: {
    title: 'Diese Seite gibt es nicht',
    text: 'Die Adresse stimmt nicht, oder die Seite gibt es nicht mehr.',
    cure: 'Zu „Heute“',
  },
};
