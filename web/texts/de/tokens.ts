import type {tokens as english} from '../en/tokens.ts';
import {plural} from '../plural.ts';

const count = (amount: number, one: string, other: string): string =>
  `${amount} ${plural('de', amount, {one, other})}`;

export const tokens: typeof english = {
  title: 'Zugriffstokens',
  sub: 'Mit einem Token kann ein Programm die API nutzen, in deinem Namen oder als Dienstkonto.',
  filter: 'Tokens anzeigen',
  show: {own: 'Meine', all: 'Alle'},
  list: 'Tokens',
  more: 'Mehr anzeigen',
  open: 'Details',
  close: 'Weniger Details',
  expires: (when) => `Läuft ${when} ab`,
  expiresSoon: 'läuft bald ab',
  used: 'Genutzt',
  unused: 'Nie genutzt',
  byYou: (when) => `${when} von dir erstellt`,
  by: (name, when) => `${when} von ${name} erstellt`,
  byOperator: (when) => `${when} vom Betreiber erstellt`,
  unknownScope: 'Dieser Scope ist neuer als diese Seite. Sieh in der API-Dokumentation nach.',
  facts: {
    id: 'ID',
    made: 'Erstellt',
    expires: 'Läuft ab',
    used: 'Zuletzt genutzt',
    parent: 'Erstellt mit dem Token',
  },
  empty: {
    own: 'Du hast noch keine Tokens',
    all: 'Noch keine Tokens',
    text: 'Erstelle eines für ein Skript, für CI oder um die API auszuprobieren. Wähle, was es darf und wann es abläuft.',
  },
  scopes: {
    'standups:read': {
      label: 'Standups lesen',
      text: 'Standups, Blocker, Runden und Beteiligung aller Teams lesen.',
    },
    'standups:write': {
      label: 'Standups schreiben',
      text: 'Eigene Standups und Blocker schreiben, bearbeiten und löschen.',
    },
    'standups:write_any': {
      label: 'Für andere schreiben',
      text: 'Für andere schreiben, im Rahmen der eigenen Rolle.',
    },
    'teams:read': {label: 'Teams lesen', text: 'Teams, ihre Mitglieder, Zeitpläne und Fragen lesen.'},
    'teams:write': {
      label: 'Teams ändern',
      text: 'Teams erstellen, bearbeiten und löschen, Runden öffnen und erinnern, im Rahmen der eigenen Rolle.',
    },
    'members:read': {
      label: 'Personen lesen',
      text: 'Namen, E-Mail-Adressen, Zeitzonen, Abwesenheiten und freie Tage lesen.',
    },
    'members:write': {
      label: 'Personen ändern',
      text: 'Personen hinzufügen, bearbeiten und entfernen und Abwesenheiten eintragen, im Rahmen der eigenen Rolle.',
    },
    'events:read': {
      label: 'Alle Ereignisse lesen',
      text: 'Jeden Text, jede Adresse und jede Änderung im Workspace lesen, in allen Teams.',
    },
    'webhooks:manage': {
      label: 'Webhooks verwalten',
      text: 'Webhooks erstellen und bearbeiten. Sie senden Ereignisse an beliebige Adressen.',
    },
    'workspace:manage': {
      label: 'Workspace verwalten',
      text: 'Name, Aufbewahrung und Einstellungen ändern.',
    },
    'tokens:manage': {
      label: 'Tokens verwalten',
      text: 'Tokens und Anmeldelinks mit höchstens diesen Scopes erstellen und widerrufen. Vergib diesen Scope mit Bedacht.',
    },
  },
  made: {
    title: (name) => `${name} erstellt`,
    text: 'Kopiere es jetzt. Es wird nicht erneut angezeigt.',
    value: 'Wert',
    curl: 'Befehl',
    try: 'Probiere es im Terminal:',
    copy: (what) => `${what} kopieren`,
    notCopied: 'Dein Browser hat das Kopieren blockiert. Markiere den Text und kopiere ihn.',
    done: 'Fertig',
  },
  make: {
    open: 'Token erstellen',
    title: 'Token erstellen',
    submit: 'Erstellen',
    name: 'Name',
    nameHint: 'Ein Name, den du später wiedererkennst, etwa Deploy-Bot.',
    holder: 'Für wen',
    forMe: 'Mich',
    forMeHint: 'Handelt in deinem Namen, mit deiner Rolle.',
    forAccount: 'Ein Dienstkonto',
    forAccountHint: 'Handelt unter eigenem Namen. Es bleibt, wenn Personen gehen.',
    account: 'Dienstkonto',
    accountNew: 'Es wird mit dem Token erstellt.',
    accountHint: (names) =>
      `Wähle eines oder gib einen neuen Namen ein: ${names.slice(0, 8).join(', ')}${names.length > 8 ? ' …' : ''}`,
    preset: 'Zweck',
    presetHint: 'Wählt die Kästchen unten aus. Du kannst sie ändern.',
    presets: {
      post: 'Standups schreiben',
      read: 'Standups, Teams und Personen lesen',
      integrate: 'Integrieren: Ereignisse und Webhooks',
      own: 'Eigene Auswahl',
    },
    scopes: 'Berechtigungen',
    expiry: 'Läuft ab in',
    expiryHint: 'Kürzer ist sicherer. Du kannst es später nicht verlängern.',
    days: (days) => count(days, 'Tag', 'Tagen'),
  },
  revoke: {
    open: 'Widerrufen',
    title: (name) => `${name} widerrufen?`,
    text: 'Programme, die es nutzen, funktionieren sofort nicht mehr. Auch damit erstellte Tokens werden widerrufen. Das lässt sich nicht rückgängig machen.',
    confirm: 'Token widerrufen',
    done: (name) => `${name} widerrufen.`,
  },
  accounts: {
    title: 'Dienstkonten',
    text: 'Bot-Konten für Programme. Sie werden mit ihrem ersten Token erstellt.',
    none: 'Noch keine. Erstelle ein Token für eines.',
    tokens: (amount) => (amount === 0 ? 'keine Tokens' : count(amount, 'Token', 'Tokens')),
    made: (when) => `${when} erstellt`,
    delete: 'Löschen',
    deleteTitle: (name) => `${name} löschen?`,
    deleteText:
      'Alle seine Tokens funktionieren sofort nicht mehr. Seine Standups bleiben unter seinem Namen.',
    deleted: (name) => `${name} und seine Tokens gelöscht.`,
  },
};
