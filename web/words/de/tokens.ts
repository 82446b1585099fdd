import type {tokens as english} from '../en/tokens.ts';
import {plural} from '../plural.ts';

const count = (amount: number, one: string, other: string): string =>
  `${amount} ${plural('de', amount, {one, other})}`;

export const tokens: typeof english = {
  title: 'Zugangstoken',
  sub: 'Mit einem Token benutzt ein Programm die API: als du, oder als ein eigenes Dienstkonto.',
  filter: 'Wessen Token',
  show: {own: 'Meine', all: 'Alle'},
  list: 'Token',
  more: 'Mehr zeigen',
  open: 'Einzelheiten',
  close: 'Weniger',
  expires: (when) => `Läuft ab ${when}`,
  expiresSoon: 'läuft bald ab',
  used: 'Benutzt',
  unused: 'Nie benutzt',
  byYou: (when) => `von dir gemacht ${when}`,
  by: (name, when) => `von ${name} gemacht ${when}`,
  byOperator: (when) => `vom Betreiber gemacht ${when}`,
  unknownScope: 'Neuer als diese Seite: es steht in der Dokumentation der API.',
  facts: {
    id: 'Id',
    made: 'Gemacht',
    expires: 'Läuft ab',
    used: 'Zuletzt benutzt',
    parent: 'Gemacht mit dem Token',
  },
  empty: {
    own: 'Du hast keine Token',
    all: 'Niemand hat Token',
    text: 'Mach eines für ein Skript, für CI, oder um die API zu probieren. Wähle, was es darf und wann es endet.',
  },
  scopes: {
    'standups:read': {
      label: 'Standups lesen',
      text: 'Standups, Hindernisse, Läufe und Beteiligung aller Teams lesen.',
    },
    'standups:write': {
      label: 'Standups schreiben',
      text: 'Eigene Standups und Hindernisse schreiben, ändern und löschen.',
    },
    'standups:write_any': {
      label: 'Für andere schreiben',
      text: 'Für jemand anderen schreiben, soweit die Rolle der Inhaberin oder des Inhabers reicht.',
    },
    'teams:read': {label: 'Teams lesen', text: 'Teams, ihre Mitglieder, Zeitpläne und Fragen lesen.'},
    'teams:write': {
      label: 'Teams ändern',
      text: 'Teams anlegen, ändern und löschen, Läufe öffnen, erinnern, soweit die Rolle reicht.',
    },
    'members:read': {
      label: 'Personen lesen',
      text: 'Namen, E-Mail-Adressen, Zeitzonen, Abwesenheiten und freie Tage lesen.',
    },
    'members:write': {
      label: 'Personen ändern',
      text: 'Personen aufnehmen, ändern und entfernen, Abwesenheiten eintragen, soweit die Rolle reicht.',
    },
    'events:read': {
      label: 'Alle Ereignisse lesen',
      text: 'Das ganze Protokoll lesen: jeder Text, jede Adresse und Änderung, auch anderer Teams.',
    },
    'webhooks:manage': {
      label: 'Webhooks verwalten',
      text: 'Webhooks anlegen und ändern: sie senden Ereignisse an beliebige Adressen.',
    },
    'workspace:manage': {
      label: 'Arbeitsbereich verwalten',
      text: 'Seinen Namen ändern, wie lange Texte bleiben, und seine Einstellungen.',
    },
    'tokens:manage': {
      label: 'Token verwalten',
      text: 'Token und Anmelde-Links machen und widerrufen, nie mit mehr Rechten als dieses. Gib es wenigen.',
    },
  },
  made: {
    title: (name) => `${name} ist gemacht`,
    text: 'Kopiere den Wert jetzt. Er steht nur hier, und niemand kann ihn noch einmal zeigen.',
    value: 'Wert',
    curl: 'Befehl',
    try: 'Probiere es im Terminal:',
    copy: (what) => `${what} kopieren`,
    notCopied: 'Der Browser hat es nicht erlaubt. Markiere den Text und kopiere ihn.',
    done: 'Ich habe ihn kopiert',
  },
  make: {
    open: 'Token machen',
    title: 'Token machen',
    submit: 'Das Token machen',
    name: 'Name',
    nameHint: 'Damit du später weißt, wo es benutzt wird: Deploy-Bot.',
    holder: 'Für wen',
    forMe: 'Mich',
    forMeHint: 'Es handelt in deinem Namen und mit deiner Rolle.',
    forAccount: 'Ein Dienstkonto',
    forAccountHint: 'Ein Programm im eigenen Namen. Es bleibt, wenn Leute gehen.',
    account: 'Dienstkonto',
    accountNew: 'Es wird mit dem Token gemacht.',
    accountHint: (names) =>
      `Eines von diesen, oder ein neuer Name: ${names.slice(0, 8).join(', ')}${names.length > 8 ? ' …' : ''}`,
    preset: 'Wofür',
    presetHint: 'Wählt unten Kästchen aus; du kannst sie ändern.',
    presets: {
      post: 'Standups schreiben',
      read: 'Standups, Teams und Personen lesen',
      integrate: 'Integrieren: Ereignisse und Webhooks',
      own: 'Eigene Auswahl',
    },
    scopes: 'Was es darf',
    expiry: 'Endet nach',
    expiryHint: 'Kürzer ist sicherer. Verlängern kann man es später nicht.',
    days: (days) => count(days, 'Tag', 'Tagen'),
  },
  revoke: {
    open: 'Widerrufen',
    title: (name) => `${name} widerrufen?`,
    text: 'Was es benutzt, wird ab der nächsten Anfrage abgewiesen. Auch Token, die damit gemacht wurden, enden. Es gibt kein Zurück.',
    confirm: 'Das Token widerrufen',
    done: (name) => `${name} ist widerrufen.`,
  },
  accounts: {
    title: 'Dienstkonten',
    text: 'Programme mit einem eigenen Namen. Eines entsteht mit seinem ersten Token.',
    none: 'Es gibt noch keine. Mach ein Token für eines.',
    tokens: (amount) => (amount === 0 ? 'keine Token' : count(amount, 'Token', 'Token')),
    made: (when) => `gemacht ${when}`,
    delete: 'Löschen',
    deleteTitle: (name) => `${name} löschen?`,
    deleteText:
      'Alle seine Token werden sofort abgewiesen. Was es geschrieben hat, bleibt unter seinem Namen.',
    deleted: (name) => `${name} ist gelöscht, mit seinen Token.`,
  },
};
