import {command} from './de/command.js';
import {refusal} from './de/refusal.js';
import {trouble} from './de/trouble.js';
import {form} from './de/form.js';
import {home} from './de/home.js';
import {setup} from './de/setup.js';
import {notOpened} from './de/not-opened.js';
import {gone} from './de/gone.js';
import {leads} from './de/leads.js';
import {text} from './de/text.js';
import {typed} from './de/typed.js';
import {typing} from './de/typing.js';
import {ask} from './de/ask.js';
import {createPlural} from './plural.js';
import {shown} from './de/shown.js';
import {web} from './de/web.js';
import {week} from './de/week.js';
import type {Texts} from './catalogue.js';

const plural = createPlural('de');

const blockerStates = {raised: 'offen', acknowledged: 'übernommen', resolved: 'gelöst'};

/** The German catalogue. Commands that people type stay English: the parser knows them so. */
export const de: Texts = {
  typed,
  gone,
  web,
  command,
  reach: {
    channels: (channels) => `Geht an ${channels} und an das Dashboard deines Workspace.`,
    channelsAndTicked: (channels) =>
      `Geht an ${channels}, an die Channels der ausgewählten Teams und an das Dashboard deines Workspace.`,
    dashboard: 'Geht an das Dashboard deines Workspace. Das Team hat keinen Channel.',
    ticked: 'Geht an die Channels der ausgewählten Teams und an das Dashboard deines Workspace.',
    chosen: 'Geht an den Channel des gewählten Teams und an das Dashboard deines Workspace.',
    fromPrivate:
      'Die Nachricht, die du hinzufügst, stammt aus einer privaten Unterhaltung. Mit dem Senden wird sie dort öffentlich.',
  },
  away: {
    entered: (days) => `Du bist abwesend: ${days}. Ich erinnere dich nicht, und du zählst nicht als fehlend.`,
    skipped: (days) => `Du setzt aus: ${days}. Ich erinnere dich nicht, und du zählst nicht als fehlend.`,
    visibility: {
      leads: 'Nur die Leitung deiner Teams und Admins können den Grund sehen:',
      team: 'Dein Team kann den Grund sehen, auch in seinem Channel:',
    },
    standupOf: (day) => `das Standup von ${day}`,
    standupIn: (day, team) => `${day} in ${team}`,
    span: (from, until) => `${from} bis ${until}`,
    open: (from) => `${from}, bis du zurück bist (sag es mit /standup back)`,
    back: 'Willkommen zurück! Ab heute bist du wieder im Standup.',
    backIn: (days) => `Willkommen zurück! Du bist wieder im Standup: ${days}.`,
    backNext:
      'Willkommen zurück! Das Standup von heute ist geschlossen und zeigt dich noch als abwesend. Ab dem nächsten bist du wieder dabei.',
    notAway: 'Du bist heute nicht abwesend.',
    undone: 'Rückgängig gemacht. Du bist wieder im Standup.',
    notSaved: (reason) => `Nicht gespeichert. ${reason}`,
    reason: (error) => `Der Grund ${error}.`,
    errors: {
      date: 'Welche Tage? Versuche /standup ooo until Friday oder ooo 24 Dec to 2 Jan.',
      part: 'Ich kenne nur ganze Tage. Um den ganzen Tag abwesend zu sein, klicke auf den Button.',
      order: 'Der letzte Tag liegt vor dem ersten oder in der Vergangenheit. Versuche ooo 24 Dec to 2 Jan.',
    },
  },
  teams: {
    noTeam:
      'In diesem Channel gibt es kein Standup, und du bist noch in keinem Team. Gib /standup im Channel deines Teams ein, um beizutreten.',
  },
  refusal,
  tooFast: (seconds) => `Zu viele Änderungen auf einmal. Warte ${seconds} s und versuche es dann erneut.`,
  withReference: (sentence, reference) => `${sentence} (Referenz: ${reference})`,
  outsider: {
    guest:
      'Gäste können keine Standups schreiben. Bitte einen Slack-Admin, dich zum vollen Mitglied zu machen.',
    stranger: 'Du gehörst zu einem anderen Slack-Workspace. Schreibe dort mit /standup.',
    bot: 'Apps können in Slack keine Standups schreiben. Programme können die API nutzen.',
  },
  install: {
    doneTitle: 'Standup ist installiert',
    done: (location) =>
      `Standup ist in ${location} installiert. Öffne Slack, um zu sehen, wie es weitergeht.`,
    open: 'Standup in Slack öffnen',
    openInBrowser: 'Im Browser öffnen',
    greeting: (name) => `Hallo ${name}! Standup ist bereit.`,
    youOwn: 'Du bist Inhaber und bestimmst, wer es mit dir verwaltet.',
    again: 'Neu anfangen',
    notDone: 'Standup wurde nicht installiert',
    cancelled: 'Du hast abgebrochen, oder du darfst keine Apps installieren.',
    stale:
      'Bitte fang neu an. Eine Installation gilt einmal, 10 Minuten lang, in dem Browser, in dem du sie begonnen hast.',
    refused: (reference) =>
      `Slack hat die Installation nicht angenommen. Fang neu an. Wenn es weiter fehlschlägt, wende dich an deinen Betreiber. (Referenz: ${reference})`,
    tooMany: (seconds) => `Zu viele Installationen aus deinem Netz. Warte ${seconds} s und fang dann neu an.`,
    unavailable: (reference) =>
      `Der Dienst kommt gerade nicht an seine Daten. Fang in einer Minute neu an. (Referenz: ${reference})`,
    slackAway: (reference) => `Slack antwortet nicht. Fang in einer Minute neu an. (Referenz: ${reference})`,
    failed: (reference) =>
      `Bei uns ist etwas schiefgegangen. Fang neu an. Wenn es weiter fehlschlägt, wende dich an deinen Betreiber. (Referenz: ${reference})`,
  },
  webhook: {
    failing: (name, since, until) =>
      `Der Webhook ${name} schlägt anhaltend fehl. Beginn: ${since}. Gelingt kein Versuch, wird er ${until} ausgeschaltet. Sieh nach, was sein Empfänger geantwortet hat:`,
    disabled: (name, at, forFailing) =>
      `Der Webhook ${name} wurde ${at} ausgeschaltet: ${forFailing ? 'Fünf Tage lang gelang kein Versuch.' : 'Sein Empfänger hat geantwortet, dass er keine Ereignisse mehr möchte.'} Wenn sein Empfänger wieder arbeitet, schalte ihn ein und sende die verpassten Ereignisse erneut:`,
  },
  cutNote: '… (zu lang, um es hier ganz zu zeigen)',
  trouble,
  shown,
  week,
  posting: {
    goesOn: (part, of) => `… (weiter unten, Teil ${part} von ${of})`,
    goesOnInThread: (part, of) => `… (weiter im Thread, Teil ${part} von ${of})`,
    postedBy: (name) => `gesendet von ${name ?? 'einem ehemaligen Mitglied'}`,
    editedBy: (name) => `bearbeitet von ${name ?? 'einem ehemaligen Mitglied'}`,
    part: (part, of) => `(Teil ${part} von ${of})`,
    day: (day, count, of) =>
      of === 0 ? `Standup · ${day}` : `Standup · ${day} · ${count} von ${of} geschrieben`,
    closes: (heading, at) => `${heading} · schließt ${at}`,
    closed: (heading) => `${heading} · geschlossen`,
    postedNames: (names) => `Geschrieben: ${names}`,
    andMore: (names, more) => `${names} und ${more} weitere`,
  },
  digest: {
    title: (day, count, of) =>
      of === 0 ? `Bericht · ${day}` : `Bericht · ${day} · ${count} von ${of} geschrieben`,
    participation: (percent) => `Beteiligung ${percent} %`,
    blockers: (count) => plural(count, {one: '# Blocker', other: '# Blocker'}),
    blocker: (who, since, state) => `${who}, seit ${since}, ${state}`,
    states: blockerStates,
    in: (count) => `${count} geschrieben`,
    late: (count) => `${count} verspätet`,
    away: (count) => `${count} abwesend`,
    holiday: (count) => plural(count, {one: '# hat Feiertag', other: '# haben Feiertag'}),
    skipped: (count) => `${count} ausgesetzt`,
    unreachable: (count) => `${count} über Slack nicht erreichbar`,
    missing: (count) => plural(count, {one: '# fehlt', other: '# fehlen'}),
    continued: (heading) => `${heading} (Fortsetzung)`,
    off: (who, why, until) =>
      `${who}${why === null ? '' : `: ${why}`}${until === null ? '' : ` (bis ${until})`}`,
    link: (number) => (number === 1 ? 'Standup' : `Standup ${number}`),
    more: (count) => `und ${count} weitere`,
    shortened: (cut, left) =>
      `Zu lang für Slack: ${plural(cut, {one: '# Text ist gekürzt', other: '# Texte sind gekürzt'})}, ${plural(left, {one: '# Zeile fehlt', other: '# Zeilen fehlen'})}. Im Dashboard steht alles.`,
  },
  blockers: {
    stillBlocked: 'Noch blockiert? Hake ab, was gelöst ist',
    acknowledge: 'Übernehmen',
    resolve: 'Lösen',
    resolveThat: (text) => `Lösen: ${text}`,
    status: (state, by) => {
      if (by === null) return `Blocker, ${blockerStates[state]}`;
      return state === 'acknowledged'
        ? `Blocker, ${by} ist dran`
        : `Blocker, ${blockerStates[state]} von ${by}`;
    },
    more: (count) => `und ${plural(count, {one: '# weiterer Blocker', other: '# weitere Blocker'})}`,
    heading: (shown, of) => (shown === of ? 'Blocker' : `Blocker: ${shown} von ${of}`),
    own: (team, since, state) => `Du, ${team}, seit ${since}, ${state}`,
    of: (who, team, since, state) => `${who}, ${team}, seit ${since}, ${state}`,
    acknowledged: 'Du bist dran. Wer ihn gemeldet hat, kann das sehen.',
    resolved: 'Blocker gelöst.',
    isResolved: 'Dieser Blocker ist schon gelöst.',
    isAcknowledged: 'An diesem Blocker ist schon jemand dran.',
    gone: 'Dieser Blocker wurde gelöscht.',
    notChanged: (reason) => `Nichts wurde geändert. ${reason}`,
  },
  ask,
  typing,
  prompts: {
    due: (teams, again) =>
      again
        ? plural(teams, {one: 'Dein Standup fehlt noch.', other: 'Deine Standups fehlen noch.'})
        : plural(teams, {one: 'Dein Standup ist bald fällig.', other: 'Deine Standups sind bald fällig.'}),
    snoozed: (until) => `OK. Ich erinnere dich ${until} wieder.`,
    over: (day) => `Standup von ${day}`,
    ofDay: (team, day) => `${team}, ${day}`,
    open: (team, closes) => `${team}: schließt ${closes}`,
    closed: (team, closed) => `${team}: Das hast du verpasst. Es wurde ${closed} geschlossen.`,
    posted: (team) => `${team}: geschrieben`,
    skipped: (team) => `${team}: ausgesetzt`,
    away: (team) => `${team}: Du bist abwesend`,
    holiday: (team) => `${team}: Für dich ist Feiertag`,
    cancelled: (team) => `${team}: abgebrochen`,
    more: (left) => (left === 1 ? 'und ein weiteres Team' : `und ${left} weitere Teams`),
    look: 'Ansehen',
    post: 'Schreiben',
    skip: 'Heute aussetzen',
    snooze: 'Später erinnern',
    snoozeFor: (minutes) => (minutes === 60 ? 'In einer Stunde' : `In ${minutes} Minuten`),
    tooLate: (closes) => `Zu spät für eine weitere Erinnerung: Es schließt ${closes}.`,
    nothingLeft: 'Alles erledigt. Hier ist nichts mehr zu tun.',
  },
  time: {
    instant: 'am {date_num} um {time}',
    plainInstant: (day, time) => `${day}, ${time} UTC`,
    shortDay: (weekday, day, month) => `${weekday}, ${day}. ${month}`,
  },
  today: {
    in: (people, missing) => `${people} geschrieben, ${plural(missing, {one: '# fehlt', other: '# fehlen'})}`,
    manyIn: (people) => `${people} oder mehr geschrieben`,
    more: (left) => (left === 1 ? 'und eine weitere Person' : `und ${left} weitere`),
    atLeastMore: (left) => `und mindestens ${left} weitere`,
    moreTeams: (left) =>
      left === 1 ? 'Du bist in einem weiteren Team.' : `Du bist in ${left} weiteren Teams.`,
    post: 'Schreiben',
    newUpdate: 'Neues Standup',
    edit: 'Bearbeiten',
  },
  form,
  home,
  leads,
  shortcuts: {
    cut: ' … (gekürzt, alles steht hinter dem Link)',
    cutWithoutLink: ' … (gekürzt)',
    noText: 'Diese Nachricht hat keinen Text, den du zu deinem Standup hinzufügen kannst.',
  },
  own: {
    title: 'Deine Einstellungen',
    save: 'Speichern',
    cancel: 'Abbrechen',
    close: 'Schließen',
    loading: 'Einen Moment …',
    saved: 'Gespeichert.',
    retry: notOpened,
    unknown: 'Du bist noch in keinem Team. Schreibe zuerst mit /standup im Channel deines Teams.',
    reminders: 'Erinnerungen',
    reminded: 'Mich per Direktnachricht erinnern, wenn ich nicht geschrieben habe',
    remindersHint: 'An freien Tagen bekommst du keine Erinnerungen.',
    quietFrom: 'Ruhe von',
    quietUntil: 'Ruhe bis',
    quietHint: 'Erinnerungen in dieser Zeit kommen, wenn sie endet und das Standup noch offen ist.',
    bothTimes: 'Wähle beide Zeiten oder keine.',
    sameTimes: 'Wähle ein anderes Ende als den Beginn.',
    zone: 'Zeitzone',
    zoneHint:
      'Aus deinem Slack-Profil, bis du eine andere wählst. Gib eine Stadt oder einen Abstand ein, etwa +5:30.',
    country: 'Land, für Feiertage',
    countryHint: 'Zwei Buchstaben, etwa DE. Leer lassen für keines.',
    region: 'Region',
    regionHint: 'Ihr Kürzel, etwa BY. Leer lassen, wenn nur landesweite Feiertage gelten.',
    calendar: 'Feiertagskalender der Firma',
    noCalendar: 'Keiner',
    teams: 'Die Teamleitung kann die Einstellungen jedes Teams im Tab „Home“ ändern.',
  },
  setup,
  text,
};
