import type {workspace as english} from '../en/workspace.ts';
import {plural} from '../plural.ts';

const count = (amount: number, one: string, other: string): string =>
  `${amount} ${plural('de', amount, {one, other})}`;

const posts = ({standups, reports}: {standups: number; reports: number}): string =>
  [
    ...(standups > 0 ? [count(standups, 'Standup', 'Standups')] : []),
    ...(reports > 0 ? [count(reports, 'Bericht', 'Berichte')] : []),
  ].join(' und ');

export const workspace: typeof english = {
  title: 'Arbeitsbereich',
  sub: 'Sein Name, was er wie lange aufbewahrt, Slack, und Daten mitnehmen.',
  subOfMember: 'Wie er mit Slack verbunden ist, und Daten mitnehmen.',
  settings: {
    title: 'Name und Aufbewahrung',
    name: 'Name',
    slug: (slug) => `Programme kennen ihn als ${slug}; das bleibt immer so.`,
    retention: 'Wie lange bleibt, was Leute schreiben',
    forEver: 'Bis jemand es löscht',
    forDays: 'Eine Zahl von Tagen, dann wird es gelöscht',
    days: 'Tage',
    daysHint: 'Von 30 bis 3.650.',
    keepsAll:
      'Nichts wird nach seinem Alter gelöscht. Standups, Blocker und Abwesenheiten bleiben, bis jemand sie löscht.',
    deletes: (day) =>
      `Standups von vor dem ${day} werden gelöscht, samt Blockern, die nur sie meldeten und um die sich niemand kümmert, auch Blocker und Abwesenheiten, die davor endeten. Der Tag rückt täglich weiter. Wie viele teilnahmen, bleibt.`,
    shorter: 'Das löscht mehr als jetzt, binnen einer Stunde, und niemand bekommt es zurück.',
    used: (used, limit) =>
      limit === undefined
        ? `${used} sind belegt.`
        : `${used} von ${limit} sind belegt. Ist alles belegt, wird nichts Neues angenommen. Was du löschst, zählt noch eine Weile mit (meist 30 Tage), da Webhooks noch davon erfahren.`,
    save: 'Speichern',
    discard: 'Verwerfen',
    saved: 'Der Arbeitsbereich ist gespeichert.',
    confirmTitle: 'Löschen, was älter ist?',
    confirm: 'Speichern und löschen',
    conflict: 'Jemand hat den Arbeitsbereich inzwischen geändert',
    conflictText: 'Eines von beiden wählen. Bis dahin wird nichts gespeichert.',
    mine: 'Deins',
    theirs: 'Jetzt dort',
    keepMine: 'Deins behalten',
    takeTheirs: 'Nehmen, was dort ist',
    kept: (days) => (days === null ? 'bleibt, bis gelöscht wird' : `bleibt ${count(days, 'Tag', 'Tage')}`),
  },
  slack: {
    title: 'Slack',
    connectedTo: (name) => `Verbunden mit ${name}.`,
    connected: 'Mit Slack verbunden.',
    notConnected: 'Nicht mit Slack verbunden.',
    notSetUp: 'Slack ist in dieser Installation nicht eingerichtet.',
    notSetUpText:
      'Wer den Dienst betreibt, richtet es ein, wie docs/slack.md sagt. Das Dashboard geht auch ohne.',
    since: 'Verbunden',
    by: (name) => `durch ${name}`,
    ways: {token: 'Durch die Konfiguration des Dienstes', oauth: 'Aus Slack installiert'},
    transports: {http: 'Slack ruft den Dienst', socket: 'Socket Mode'},
    bot: (name) => `Der Bot heißt ${name}`,
    noAnswer: 'Slack antwortet gerade nicht; Berechtigungen konnten nicht geprüft werden.',
    refused: (code) => `Slack nimmt das Token des Bots nicht an: ${code}.`,
    install: 'In Slack installieren',
    again: 'Neu installieren',
    missing: 'Dem Bot fehlen Berechtigungen, die er braucht:',
    missingOptional: 'Bei der Installation weggelassen, was erlaubt ist:',
    missingOptionalText:
      'Wo eine Antwort ausblieb, kann der Bot nicht nachsehen, ob sein Beitrag ankam. Dann hilft „Noch einmal“.',
    byToken:
      'Wer den Dienst betreibt, behebt das in den Einstellungen der App in Slack und installiert sie dort neu.',
    renewToken: 'Wer diesen Dienst betreibt, installiert die App in Slack neu und trägt das neue Token ein.',
    wrongWorkspace:
      'Das Slack-Token der Konfiguration gilt für einen anderen Arbeitsbereich: siehe SLACK_WORKSPACE.',
    comeBack: 'Wer in Slack Apps hinzufügen darf, installiert es neu. Was wartet, wird dann gepostet.',
    first:
      'Wer in Slack Apps hinzufügen darf, installiert es. Ein neues Slack bekommt einen eigenen Arbeitsbereich, wenn die Konfiguration nicht diesen nennt.',
    channels: 'Channels',
    channelsText: 'Hier werden Standups und Berichte gepostet.',
    noChannels: 'Noch kein Team hat einen Channel.',
    noChannelsText: 'Ein Team bekommt ihn in seinen Einstellungen, oder durch /standup im Channel.',
    teams: 'Alle Teams',
    posts: {standups: 'Standups', reports: 'Berichte'},
    openChannel: 'In Slack öffnen',
    hasTrouble: 'Nicht alles ist zu sehen',
    more: 'Mehr zeigen',
    troubles: 'In Slack nicht zu sehen',
    noTroubles: 'Alles, was gepostet werden sollte, ist zu sehen.',
    goneTeam: 'Ein Team, das es nicht mehr gibt',
    states: {open: 'Wartet', solving: 'Wird gepostet', solved: 'Behoben'},
    reasons: {
      not_in_channel: 'Der Bot ist nicht im Channel: dort /invite und seinen Namen eingeben.',
      channel_not_found:
        'Den Channel gibt es nicht mehr, oder er ist privat und der Bot nicht darin: einladen, oder dem Team einen anderen geben.',
      is_archived: 'Der Channel ist archiviert: wiederherstellen, oder dem Team einen anderen geben.',
      missing_scope: 'Der App fehlt eine Berechtigung: neu installieren.',
      token: 'Slack nimmt das Token der App nicht mehr an: die App neu installieren.',
      other:
        'Slack lässt die App dort nicht posten: die Verwalter von Slack fragen, oder dem Team einen anderen Channel geben.',
    },
    says: (code) => `Slack sagt ${code}.`,
    tried: 'zuletzt versucht',
    troubleSince: 'begann',
    givenUp: (lost) =>
      `${posts(lost)} fehlen dort vielleicht. Erst nachsehen: Ein neuer Versuch postet noch einmal.`,
    shown: (shown) => `${posts(shown)} seitdem gepostet.`,
    waiting: (amount) => `${count(amount, 'Beitrag kommt', 'Beiträge kommen')} noch.`,
    tryAgain: 'Noch einmal',
    trying: (channel) => `Neuer Versuch in ${channel}. Diese Seite sagt, wie es ausgeht.`,
    disconnect: 'Slack trennen',
    disconnectTitle: 'Slack trennen?',
    disconnectText:
      'Der Bot verlässt Slack, und niemand wird dort gefragt oder erinnert. Was in Channels steht, bleibt. Leute, Standups und Teams bleiben hier. Was noch zu posten ist, wartet auf die nächste Installation.',
    confirmAbove: 'Zum Trennen zuerst oben bestätigen, dass du es bist.',
    disconnected: 'Slack ist getrennt.',
  },
  exports: {
    title: 'Daten mitnehmen',
    what: 'Was',
    kinds: {
      standups: 'Standups',
      absences: 'Abwesenheiten',
      participation: 'Wer teilnahm',
    },
    team: 'Team',
    everyTeam: 'Alle Teams',
    chooseTeam: 'Ein Team wählen: Das wird für eines auf einmal gezählt.',
    days: 'Tage',
    allDays: 'Alle Tage',
    lastDays: 'Die letzten 30 Tage',
    someDays: 'Bestimmte Tage …',
    fromUntil: 'Von und bis',
  },
  erasures: {
    title: 'Löschungen von Personen',
    text: 'Wer gelöscht wird, dessen Texte verschwinden im Hintergrund.',
    people: 'Unter Leute beginnen',
    none: 'In den letzten Wochen wurde niemand gelöscht.',
    begun: 'Begonnen',
    ended: 'beendet',
    states: {
      queued: 'Wartet',
      running: 'Läuft',
      failed: 'Wird wieder versucht',
      done: 'Fertig',
    },
    progress: (erased, left) =>
      left === 0 ? `${count(erased, 'Ding', 'Dinge')} gelöscht` : `${erased} von ${erased + left} gelöscht`,
    counts: {
      team_places: 'Plätze in Teams',
      access_tokens: 'Tokens und Sitzungen',
      absences: 'Abwesenheiten',
      blockers: 'Blocker',
      standups: 'Standups',
      traces: 'Spuren anderswo',
    },
  },
  sessions: {
    title: 'Sitzungen',
    text: 'Alle, die angemeldet sind, stehen bei den Tokens und Sitzungen.',
    count: (amount) => `${count(amount, 'Sitzung', 'Sitzungen')} in diesem Arbeitsbereich.`,
    open: 'Sitzungen',
  },
};
