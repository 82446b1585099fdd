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
  title: 'Workspace',
  sub: 'Name, Aufbewahrung, Slack und Exporte.',
  subOfMember: 'Slack und Exporte.',
  settings: {
    title: 'Name und Aufbewahrung',
    name: 'Name',
    slug: (slug) => `Kurzname: ${slug}. Programme nutzen ihn; er lässt sich nicht ändern.`,
    retention: 'Standups, Blocker und Abwesenheiten aufbewahren',
    forEver: 'Bis jemand sie löscht',
    forDays: 'Für eine Anzahl von Tagen',
    days: 'Tage',
    daysHint: 'Von 30 bis 3.650.',
    keepsAll:
      'Nichts wird automatisch gelöscht. Standups, Blocker und Abwesenheiten bleiben, bis jemand sie löscht.',
    deletes: (day) =>
      `Standups vor dem ${day} werden mit ihren nicht übernommenen Blockern gelöscht, ebenso Blocker und Abwesenheiten, die davor endeten. Dieses Datum rückt täglich weiter. Die Zahlen zur Beteiligung bleiben.`,
    shorter:
      'Damit werden innerhalb einer Stunde mehr Daten gelöscht. Das lässt sich nicht rückgängig machen.',
    used: (used, limit) =>
      limit === undefined
        ? `${used} belegt.`
        : `${used} von ${limit} belegt. Ist der Workspace voll, kann niemand schreiben, bis du Platz schaffst. Gelöschte Daten zählen noch eine Weile mit, meist 30 Tage, weil Webhooks ihre Ereignisse noch bekommen.`,
    save: 'Speichern',
    discard: 'Verwerfen',
    saved: 'Workspace gespeichert.',
    confirmTitle: 'Ältere Daten löschen?',
    confirm: 'Speichern und löschen',
    conflict: 'Jemand anderes hat den Workspace geändert',
    conflictText: 'Wähle, welche Version bleiben soll. Bis dahin wird nichts gespeichert.',
    mine: 'Deine Version',
    theirs: 'Andere Version',
    keepMine: 'Meine Version behalten',
    takeTheirs: 'Andere Version übernehmen',
    kept: (days) => (days === null ? 'bleibt, bis gelöscht wird' : `bleibt ${count(days, 'Tag', 'Tage')}`),
  },
  slack: {
    title: 'Slack',
    connectedTo: (name) => `Verbunden mit ${name}.`,
    connected: 'Mit Slack verbunden.',
    notConnected: 'Nicht mit Slack verbunden.',
    notSetUp: 'Slack ist hier nicht eingerichtet.',
    notSetUpText:
      'Dein Betreiber kann es einrichten (siehe docs/slack.md). Das Dashboard lässt sich auch ohne nutzen.',
    since: 'Verbunden',
    by: (name) => `durch ${name}`,
    ways: {token: 'In der Konfiguration des Dienstes gesetzt', oauth: 'Aus Slack installiert'},
    transports: {http: 'Slack ruft den Dienst', socket: 'Socket Mode'},
    bot: (name) => `Der Bot heißt ${name}`,
    noAnswer: 'Slack antwortet nicht, daher konnten die Berechtigungen nicht geprüft werden.',
    refused: (code) => `Slack lehnt das Token des Bots ab: ${code}.`,
    install: 'In Slack installieren',
    again: 'Neu installieren',
    missing: 'Der Bot braucht diese Berechtigungen:',
    missingOptional: 'Optionale Berechtigungen, die nicht erteilt sind:',
    missingOptionalText:
      'Ohne sie kann der Bot nicht prüfen, ob ein Beitrag angekommen ist, wenn Slack nicht antwortet. Dann hilft „Erneut versuchen“.',
    byToken:
      'Dein Betreiber kann das in den Einstellungen der App in Slack beheben und sie dann neu installieren.',
    renewToken:
      'Bitte deinen Betreiber, die App in Slack neu zu installieren und das neue Token einzutragen.',
    wrongWorkspace: 'Das konfigurierte Slack-Token gehört zu einem anderen Workspace. Siehe SLACK_WORKSPACE.',
    comeBack:
      'Bitte jemanden, der Slack-Apps hinzufügen darf, es neu zu installieren. Wartende Beiträge werden dann gesendet.',
    first:
      'Bitte jemanden, der Slack-Apps hinzufügen darf, es zu installieren. Ein neuer Slack-Workspace bekommt hier einen eigenen Workspace, wenn die Konfiguration nicht diesen nennt.',
    channels: 'Channels',
    channelsText: 'Hier werden Standups und Berichte gepostet.',
    noChannels: 'Noch kein Team hat einen Channel.',
    noChannelsText: 'Wähle einen Channel in den Team-Einstellungen oder gib /standup im Channel ein.',
    teams: 'Alle Teams',
    posts: {standups: 'Standups', reports: 'Berichte'},
    openChannel: 'In Slack öffnen',
    hasTrouble: 'Einige Beiträge fehlen',
    more: 'Mehr anzeigen',
    troubles: 'Fehlgeschlagene Beiträge',
    noTroubles: 'Alle Beiträge sind in Slack.',
    goneTeam: 'Ein gelöschtes Team',
    states: {open: 'Wartet', solving: 'Wird gepostet', solved: 'Gelöst'},
    reasons: {
      not_in_channel: 'Der Bot ist nicht im Channel. Gib dort /invite und seinen Namen ein.',
      channel_not_found:
        'Der Channel wurde gelöscht, oder er ist privat und der Bot ist nicht darin. Lade den Bot ein oder wähle einen anderen Channel.',
      is_archived: 'Der Channel ist archiviert. Stelle ihn wieder her oder wähle einen anderen Channel.',
      missing_scope: 'Der App fehlt eine Berechtigung. Installiere sie neu.',
      token: 'Slack akzeptiert das Token der App nicht mehr. Installiere die App neu.',
      other:
        'Slack lässt die App dort nicht posten. Frag einen Slack-Admin oder wähle einen anderen Channel.',
    },
    says: (code) => `Slack sagt ${code}.`,
    tried: 'zuletzt versucht',
    troubleSince: 'begann',
    givenUp: (lost) =>
      `Dort fehlen vielleicht: ${posts(lost)}. Sieh zuerst nach: „Erneut versuchen“ postet sie erneut.`,
    shown: (shown) => `${posts(shown)} seitdem gepostet.`,
    waiting: (amount) => `${count(amount, 'Beitrag kommt', 'Beiträge kommen')} noch.`,
    tryAgain: 'Erneut versuchen',
    trying: (channel) => `Neuer Versuch in ${channel} …`,
    disconnect: 'Slack trennen',
    disconnectTitle: 'Slack trennen?',
    disconnectText:
      'Der Bot verlässt Slack und sendet dort keine Fragen und Erinnerungen mehr. Nachrichten in Channels bleiben. Personen, Standups und Teams bleiben hier. Wartende Beiträge werden gesendet, wenn der Bot wieder installiert ist.',
    confirmAbove: 'Bestätige zum Trennen zuerst oben, dass du es bist.',
    disconnected: 'Slack getrennt.',
  },
  exports: {
    title: 'Daten exportieren',
    what: 'Daten',
    kinds: {
      standups: 'Standups',
      absences: 'Abwesenheiten',
      participation: 'Beteiligung',
    },
    team: 'Team',
    everyTeam: 'Alle Teams',
    chooseTeam: 'Wähle ein Team.',
    days: 'Tage',
    allDays: 'Alle Tage',
    lastDays: 'Die letzten 30 Tage',
    someDays: 'Bestimmte Tage …',
    fromUntil: 'Von – bis',
  },
  erasures: {
    title: 'Datenlöschungen',
    text: 'Die Daten eines Mitglieds zu löschen, entfernt im Hintergrund alles, was es geschrieben hat.',
    people: 'Zu „Personen“',
    none: 'Keine Datenlöschungen in letzter Zeit.',
    begun: 'Gestartet',
    ended: 'beendet',
    states: {
      queued: 'Wartet',
      running: 'Läuft',
      failed: 'Wird wiederholt',
      done: 'Fertig',
    },
    progress: (erased, left) =>
      left === 0
        ? `${count(erased, 'Element', 'Elemente')} gelöscht`
        : `${erased} von ${erased + left} gelöscht`,
    counts: {
      team_places: 'Teammitgliedschaften',
      access_tokens: 'Tokens und Sitzungen',
      absences: 'Abwesenheiten',
      blockers: 'Blocker',
      standups: 'Standups',
      traces: 'frühere Versionen und Nennungen',
    },
  },
  sessions: {
    title: 'Sitzungen',
    text: 'Sieh, wer angemeldet ist, mit Tokens und Sitzungen.',
    count: (amount) => `${count(amount, 'Sitzung', 'Sitzungen')} in diesem Workspace offen.`,
    open: 'Sitzungen',
  },
};
