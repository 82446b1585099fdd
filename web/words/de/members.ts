import type {members as english} from '../en/members.ts';
import {plural} from '../plural.ts';

const count = (amount: number, one: string, other: string): string =>
  `${amount} ${plural('de', amount, {one, other})}`;

const list = (names: readonly string[]): string =>
  new Intl.ListFormat('de', {type: 'disjunction'}).format(names);

export const members: typeof english = {
  title: 'Personen',
  sub: 'Alle im Arbeitsbereich. Ein Name führt zur Seite der Person.',
  filters: 'Filter',
  search: 'Suchen',
  searchHint: 'Name oder E-Mail-Adresse',
  team: 'Team',
  anyTeam: 'Jedes Team',
  role: 'Rolle',
  anyRole: 'Jede Rolle',
  roles: {owner: 'Inhaber', admin: 'Admin', member: 'Mitglied'},
  list: 'Personen',
  more: 'Mehr zeigen',
  searchOn: 'Weitersuchen',
  none: {
    title: 'Niemand',
    text: 'Hier ist noch niemand.',
    filtered: 'Auf diese Filter passt niemand. Versuche weniger Buchstaben, oder jedes Team und jede Rolle.',
  },
  noEmail: 'Keine E-Mail-Adresse',
  noTeam: 'In keinem Team',
  moreTeams: 'und weitere',
  teamZone: 'Zeitzone der Teams',
  slack: 'In Slack',
  noSlack: 'Nicht in Slack',
  seen: 'gesehen',
  actions: {
    label: (name) => `Was man mit ${name} tun kann`,
    change: 'Ändern …',
    link: 'Anmelde-Link …',
    export: 'Daten der Person herunterladen',
    remove: 'Entfernen …',
    erase: 'Alles tilgen …',
  },
  form: {
    add: 'Jemanden aufnehmen',
    change: (name) => `${name} ändern`,
    submitNew: 'Aufnehmen',
    submit: 'Speichern',
    name: 'Name',
    email: 'E-Mail-Adresse',
    emailHints: {
      provider: (names) => `Damit kann sich die Person über ${list(names)} anmelden.`,
      slack: 'In Slack wird sie daran erkannt.',
      link: 'Nicht nötig: die Person meldet sich mit einem Link an, den du erstellst.',
    },
    confirmHint: (slackUser) =>
      slackUser === null
        ? 'Wer diese Adresse hat, meldet sich als Inhaber an: prüfe sie.'
        : `Wer diese Adresse oder den Slack-Benutzer ${slackUser} hat, handelt als Inhaber: prüfe beide.`,
    ownerHint: 'Nur ein Inhaber macht jemanden zum Inhaber.',
    roleHints: {
      owner: 'Darf alles, und macht andere zu Inhabern.',
      admin: 'Leitet den Arbeitsbereich: Personen, Teams, Token, Webhooks.',
      member: 'Schreibt Standups, und kann Teams leiten.',
    },
    added: (name) => `${name} ist aufgenommen.`,
    makeLink: 'Anmelde-Link erstellen',
    changed: (name) => `${name} ist geändert.`,
    cures: {
      last_owner: 'Ein Arbeitsbereich hat immer einen Inhaber.',
      email_taken: 'Suche nach der Adresse, um die Person zu finden, oder gib eine andere an.',
    },
  },
  link: {
    title: (name) => `Anmelde-Link für ${name}`,
    text: 'Er gilt einmal, 10 Minuten lang, und meldet an, wer ihn öffnet. Gib ihn niemand anderem.',
    make: 'Link machen',
    label: 'Anmelde-Link',
    copy: 'Link kopieren',
  },
  remove: {
    title: (name) => `${name} entfernen?`,
    text: 'Die Person wird abgemeldet, ihre Token werden abgewiesen, und sie verlässt ihre Teams. Was sie schrieb, bleibt unter ihrem Namen. Es gibt kein Zurück.',
    confirm: 'Entfernen',
    done: (name) => `${name} ist entfernt.`,
  },
  erase: {
    title: (name) => `Alles von ${name} tilgen?`,
    text: 'Die Person wird entfernt, mit allem, was sie schrieb, jedem früheren Text und jeder Nennung ihres Namens. Lade ihre Daten vorher herunter, wenn du sie brauchst. Es gibt kein Zurück.',
    confirm: 'Alles tilgen',
    done: (name) => `${name} wird getilgt.`,
  },
  erasure: {
    title: 'Eine Person wird getilgt',
    list: 'Tilgungen',
    none: 'In den letzten 90 Tagen wurde niemand getilgt.',
    hide: 'Ausblenden',
    states: {
      queued: 'Wartet auf den Beginn',
      running: 'Tilgt …',
      failed: 'Der letzte Versuch schlug fehl; der nächste beginnt von selbst',
      done: 'Alles ist getilgt',
    },
    counts: (gone, all) => `${gone} von ${all} getilgt`,
    kinds: {
      standups: (amount) => count(amount, 'Standup', 'Standups'),
      blockers: (amount) => count(amount, 'Hindernis', 'Hindernisse'),
      absences: (amount) => count(amount, 'Abwesenheit', 'Abwesenheiten'),
      team_places: (amount) => count(amount, 'Platz in einem Team', 'Plätze in Teams'),
      access_tokens: (amount) => count(amount, 'Token oder Sitzung', 'Token und Sitzungen'),
      traces: (amount) => count(amount, 'früherer Text oder Nennung', 'frühere Texte und Nennungen'),
    },
  },
};
