import {createPlural} from '../plural.js';
import type {Texts} from '../catalogue.js';
import {notOpened} from './not-opened.js';

const plural = createPlural('de');

export const setup: Texts['setup'] = {
  title: 'Standup einrichten',
  here: 'Hier ein Standup einrichten',
  anywhere: 'Ein Standup einrichten',
  offerHere: 'In diesem Channel gibt es noch kein Standup. Eines für dein Team einrichten?',
  offerAnywhere:
    'Du bist noch in keinem Team. Gib `/standup` im Channel deines Teams ein, um beizutreten, oder richte ein neues Team ein.',
  save: 'Einrichten',
  cancel: 'Abbrechen',
  close: 'Schließen',
  name: 'Name des Teams',
  members: 'Mitglieder',
  add: 'Personen hinzufügen',
  remove: 'Personen entfernen',
  membersHint: (max) => `Höchstens ${max} auf einmal. Du wirst die Teamleitung.`,
  zone: 'Zeitzone',
  zoneHint:
    'Bestimmt, wann der Tag des Teams beginnt und endet. Gib eine Stadt oder einen Abstand ein, etwa +5:30.',
  channel: 'Channel',
  shown: 'Wo Standups erscheinen',
  modes: {
    thread: 'In einem Thread unter einer täglichen Nachricht',
    channel: 'Als einzelne Nachrichten im Channel',
    digest: 'Nur die Namen derer, die geschrieben haben',
  },
  days: 'Tage',
  daysHint: 'Keine Tage: kein Zeitplan. Alle schreiben jederzeit, ohne Erinnerungen.',
  weekdays: {
    mon: 'Montag',
    tue: 'Dienstag',
    wed: 'Mittwoch',
    thu: 'Donnerstag',
    fri: 'Freitag',
    sat: 'Samstag',
    sun: 'Sonntag',
  },
  repeat: 'Wie oft',
  weekly: (weeks) => (weeks === 1 ? 'Jede Woche' : `Alle ${weeks} Wochen`),
  monthly: {
    '1': 'Erster im Monat',
    '2': 'Zweiter im Monat',
    '3': 'Dritter im Monat',
    '4': 'Vierter im Monat',
    '-1': 'Letzter im Monat',
  },
  opens: 'Öffnet',
  closes: 'Schließt',
  closesHint: 'Liegt die Zeit nicht nach dem Öffnen, schließt es am nächsten Tag.',
  reminders: 'Erinnerungen',
  remindersHint:
    'Eine Direktnachricht an alle, die noch nicht geschrieben haben. Wer abwesend ist, Feiertag oder Erinnerungen ausgeschaltet hat, bekommt keine.',
  before: (minutes) =>
    minutes % 60 === 0
      ? `${minutes / 60} ${minutes === 60 ? 'Stunde' : 'Stunden'} vor dem Schließen`
      : `${minutes} Minuten vor dem Schließen`,
  clock: 'Wessen Zeitzone',
  clocks: {team: 'Die Zeitzone des Teams', member: 'Die eigene Zeitzone jeder Person'},
  digest: 'Bericht nach dem Schließen',
  digests: {thread: 'Im täglichen Thread', channel: 'Als eigene Nachricht', off: 'Aus'},
  late: 'Nach dem Schließen',
  lateAlways: 'Verspätete Standups annehmen',
  lateNever: 'Keine verspäteten Standups annehmen',
  lateUntil: (minutes) => {
    const span =
      minutes % 1_440 === 0
        ? plural(minutes / 1_440, {one: '# Tag', other: '# Tage'})
        : minutes % 60 === 0
          ? plural(minutes / 60, {one: '# Stunde', other: '# Stunden'})
          : plural(minutes, {one: '# Minute', other: '# Minuten'});
    return `Verspätete Standups ${span} lang annehmen`;
  },
  more: 'Außerdem',
  named: 'In Berichten nennen, wer nicht geschrieben hat',
  reasons: 'In Berichten Gründe für Abwesenheiten zeigen',
  paused: 'Pausieren: Keine Standups öffnen, keine Erinnerungen werden gesendet',
  questions: 'Fragen, eine pro Zeile',
  questionsHint:
    'Leer: gestern, heute, Blocker. Schreib die Art in Klammern dahinter: [mood] [yes/no] [number 1..5] [Büro | Zuhause] [+ mehrere | von | diesen] [blocker] [from 2] (vorausgefüllt mit der letzten Antwort auf Frage 2). Ein * am Ende macht sie zur Pflichtfrage.',
  loading: 'Einen Moment …',
  settingUp: (team) => `${team} wird eingerichtet …`,
  retry: notOpened,
  errors: {
    name: (error) => `Der Name ${error}.`,
    zone: 'Wähle eine Zeitzone aus der Liste.',
    channel: 'Wähle einen öffentlichen oder privaten Channel.',
    noTime: 'Wähle eine Zeit oder entferne alle Tage.',
    sameTime: 'Wähle für das Schließen eine andere Zeit als für das Öffnen.',
    oneDay: 'Wähle einen Tag. Er wiederholt sich einmal im Monat.',
    early: (minutes) => `Wähle höchstens ${minutes} Minuten. Länger ist es nicht offen.`,
    manyQuestions: (max) => `Höchstens ${max} Fragen, eine pro Zeile.`,
    questionLabel: (line, max) => `Frage ${line} braucht einen Text mit höchstens ${max} Zeichen.`,
    questionOptions: (line, choices, length) =>
      `Frage ${line}: Nutze mood, yes/no, number, blocker oder 2 bis ${choices} verschiedene Antworten, getrennt durch | und mit höchstens ${length} Zeichen.`,
    questionFrom: (line) =>
      `Frage ${line} wird aus einer Frage vorausgefüllt, die es nicht gibt oder die keine Textantwort hat. Prüfe die Nummer.`,
    questionBounds: (line) => `Frage ${line}: Die erste Zahl ist größer als die zweite.`,
    channelTaken: (team) =>
      `Dieser Channel gehört schon dem Team „${team}“. Wähle einen anderen oder bitte seine Leitung, Personen hinzuzufügen.`,
    tooMany: (count, max) => `Du hast ${count} Personen gewählt. Wähle höchstens ${max} auf einmal.`,
    bots: (names) => `Keine Person: ${names}. Entferne sie.`,
    guests: (names) => `Gäste lassen sich nicht hinzufügen: ${names}. Entferne sie.`,
    strangers: (names) =>
      `Personen aus anderen Workspaces lassen sich nicht hinzufügen: ${names}. Entferne sie.`,
    gone: (names) => `Nicht mehr hier: ${names}. Entferne sie.`,
  },
  notSaved: (sentence) => `Nicht gespeichert. ${sentence}`,
  taken: (team) => `Dieser Channel gehört schon dem Team „${team}“.`,
  takenMissing: 'Du kannst es ändern. Diese Personen sind noch nicht darin:',
  takenComplete: 'Alle, die du gewählt hast, sind schon darin.',
  addThem: 'Hinzufügen',
  tryAgain: 'Erneut versuchen',
  adding: 'Personen werden hinzugefügt …',
  done: (team) => `🎉 ${team} ist bereit in `,
  changed: (team) => `${team} ist gespeichert in `,
  doneAnywhere: (team) => `${team} ist gespeichert.`,
  people: (count) => plural(count, {one: '# Person ist im Team.', other: '# Personen sind im Team.'}),
  howTo:
    'Schreibe jederzeit mit `/standup` und deinem Text, oder gib nur `/standup` ein, um das Formular zu öffnen.',
  invite:
    'Der Channel ist privat, oder ich kann nicht beitreten. Wenn ich noch nicht darin bin, gib dort ein:',
  inviteCommand: (bot) => `/invite @${bot}`,
  archived:
    'Ich kann in diesem Channel nicht posten: Er ist archiviert. Wähle in den Einstellungen einen anderen.',
  notJoined: 'Ich konnte dem Channel nicht beitreten. Wenn keine Standups erscheinen, gib dort ein:',
  failed: 'Nicht hinzugefügt, weil Slack oder der Dienst zu langsam war:',
  refused: 'Nicht hinzugefügt, weil sie Bots, Gäste, aus einem anderen Workspace oder nicht mehr hier sind:',
  notRemoved: 'Nicht entfernt:',
  unfinished: 'Das hat zu lange gedauert und ist nicht fertig. Bisherige Änderungen sind gespeichert.',
  settings: 'Einstellungen',
  saveChanges: 'Speichern',
  saving: 'Wird gespeichert …',
  elsewhere: (names) => `Auch im Team, nicht in Slack: ${names}`,
  notInTeam: (team) => `Nur die Leitung des Teams „${team}“, Inhaber und Admins können es ändern.`,
  conflict: (name, zone) =>
    `Noch nicht gespeichert. Jemand anderes hat dieses Team geändert: Es heißt jetzt „${name}“, in der Zeitzone ${zone}. Deine Änderungen stehen unten; speichere erneut, um sie zu behalten.`,
  postText: 'Deinen Text senden',
  notPosted: (sentence) => `Nicht gesendet. ${sentence} Dein Text:`,
  posted: (where) => `✅ Gesendet an ${where}.`,
};
