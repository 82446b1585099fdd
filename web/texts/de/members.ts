import type {members as english} from '../en/members.ts';
import {plural} from '../plural.ts';

const count = (amount: number, one: string, other: string): string =>
  `${amount} ${plural('de', amount, {one, other})}`;

const list = (names: readonly string[]): string =>
  new Intl.ListFormat('de', {type: 'disjunction'}).format(names);

export const members: typeof english = {
  title: 'Personen',
  sub: 'Alle im Workspace.',
  filters: 'Filter',
  search: 'Suchen',
  searchHint: 'Name oder E-Mail-Adresse',
  team: 'Team',
  anyTeam: 'Alle Teams',
  role: 'Rolle',
  anyRole: 'Alle Rollen',
  roles: {owner: 'Inhaber', admin: 'Admin', member: 'Mitglied'},
  list: 'Personen',
  more: 'Mehr anzeigen',
  searchOn: 'Weitersuchen',
  none: {
    title: 'Keine Personen',
    text: 'Hier sind noch keine Personen.',
    filtered: 'Keine Treffer. Versuche es mit weniger Buchstaben oder mit allen Teams und Rollen.',
  },
  noEmail: 'Keine E-Mail-Adresse',
  noTeam: 'In keinem Team',
  moreTeams: 'und weitere',
  teamZone: 'Wie die Teams',
  slack: 'In Slack',
  noSlack: 'Nicht in Slack',
  seen: 'gesehen',
  actions: {
    label: (name) => `Aktionen für ${name}`,
    change: 'Bearbeiten …',
    link: 'Anmeldelink …',
    export: 'Daten herunterladen',
    remove: 'Entfernen …',
    erase: 'Alle Daten löschen …',
  },
  form: {
    add: 'Person hinzufügen',
    change: (name) => `${name} bearbeiten`,
    submitNew: 'Hinzufügen',
    submit: 'Speichern',
    name: 'Name',
    email: 'E-Mail-Adresse',
    emailHints: {
      provider: (names) => `Damit meldet sich die Person über ${list(names)} an.`,
      slack: 'Verknüpft die Person mit ihrem Slack-Konto.',
      link: 'Optional. Die Person meldet sich mit einem Link an, den du erstellst.',
    },
    confirmHint: (slackUser) =>
      slackUser === null
        ? 'Wer diese Adresse hat, kann sich als Inhaber anmelden. Prüfe, dass sie dieser Person gehört.'
        : `Wer diese Adresse oder den Slack-Benutzer ${slackUser} hat, kann sich als Inhaber anmelden. Prüfe, dass beide dieser Person gehören.`,
    ownerHint: 'Nur ein Inhaber kann jemanden zum Inhaber machen.',
    roleHints: {
      owner: 'Kann alles, auch andere zu Inhabern machen.',
      admin: 'Verwaltet Personen, Teams, Tokens und Webhooks.',
      member: 'Schreibt Standups und kann Teams leiten.',
    },
    added: (name) => `${name} hinzugefügt.`,
    makeLink: 'Anmeldelink erstellen',
    changed: (name) => `${name} gespeichert.`,
    cures: {
      last_owner: 'Ein Workspace braucht mindestens einen Inhaber.',
      email_taken: 'Suche nach dieser Adresse oder gib eine andere ein.',
    },
  },
  link: {
    title: (name) => `Anmeldelink für ${name}`,
    text: 'Er gilt einmal, 10 Minuten lang. Wer ihn öffnet, wird als diese Person angemeldet. Schick ihn also nur ihr.',
    make: 'Link erstellen',
    label: 'Anmeldelink',
    copy: 'Link kopieren',
  },
  remove: {
    title: (name) => `${name} entfernen?`,
    text: 'Die Person wird abgemeldet, ihre Tokens werden widerrufen, und sie wird aus ihren Teams entfernt. Ihre Standups bleiben unter ihrem Namen. Das lässt sich nicht rückgängig machen.',
    confirm: 'Entfernen',
    done: (name) => `${name} entfernt.`,
  },
  erase: {
    title: (name) => `Alle Daten von ${name} löschen?`,
    text: 'Die Person wird entfernt. Alles, was sie geschrieben hat, wird gelöscht, auch frühere Versionen und Nennungen ihres Namens. Lade ihre Daten vorher herunter, wenn du sie brauchst. Das lässt sich nicht rückgängig machen.',
    confirm: 'Alle Daten löschen',
    done: (name) => `Daten von ${name} werden gelöscht.`,
  },
  erasure: {
    title: 'Daten einer Person werden gelöscht',
    list: 'Datenlöschungen',
    none: 'Keine Datenlöschungen in den letzten 90 Tagen.',
    hide: 'Ausblenden',
    states: {
      queued: 'Wartet auf den Start',
      running: 'Wird gelöscht …',
      failed: 'Fehlgeschlagen. Wird automatisch wiederholt.',
      done: 'Alles gelöscht',
    },
    counts: (gone, all) => `${gone} von ${all} gelöscht`,
    kinds: {
      standups: (amount) => count(amount, 'Standup', 'Standups'),
      blockers: (amount) => count(amount, 'Blocker', 'Blocker'),
      absences: (amount) => count(amount, 'Abwesenheit', 'Abwesenheiten'),
      team_places: (amount) => count(amount, 'Teammitgliedschaft', 'Teammitgliedschaften'),
      access_tokens: (amount) => count(amount, 'Token oder Sitzung', 'Tokens und Sitzungen'),
      traces: (amount) => count(amount, 'frühere Version oder Nennung', 'frühere Versionen und Nennungen'),
    },
  },
};
