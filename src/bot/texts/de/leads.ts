import {createPlural} from '../plural.js';
import type {Texts} from '../catalogue.js';

const plural = createPlural('de');

const people = (count: number): string => plural(count, {one: '# Person', other: '# Personen'});

const nthWords = {1: 'ersten', 2: 'zweiten', 3: 'dritten', 4: 'vierten', [-1]: 'letzten'} as const;

export const leads: Texts['leads'] = {
  missing: 'Wer fehlt',
  missingIn: (team) => `Wer in ${team} fehlt`,
  postMine: 'Meines schreiben oder bearbeiten',
  menu: 'Mehr',
  heading: (team, day, posted, of) => `${team} · ${day} · ${posted} von ${of} geschrieben`,
  closes: (heading, at) => `${heading} · schließt ${at}`,
  everybody: 'Alle haben geschrieben. 🎉',
  noneExpected: 'Kein Standup wird erwartet.',
  why: {
    expected: (names) => `Noch nicht geschrieben: ${names}`,
    reminders_off: (names) => `Noch nicht geschrieben (Erinnerungen aus): ${names}`,
    no_slack: (names) => `Noch nicht geschrieben (nicht in Slack): ${names}`,
    unreachable: (names) => `Über Slack nicht erreichbar: ${names}`,
    missed: (names) => `Verpasst: ${names}`,
    skipped: (names) => `Heute ausgesetzt: ${names}`,
    away: (names) => `Abwesend: ${names}`,
    holiday: (names) => `Feiertag: ${names}`,
  },
  people,
  awayUntil: (name, day) => `${name} (bis ${day})`,
  more: (names, count) => (names === '' ? people(count) : `${names} und ${count} weitere`),
  visibility: 'Teamleitung, Inhaber und Admins können die Namen sehen.',
  moreTeams: (count) => `Dazu ${plural(count, {one: '# weiteres Team', other: '# weitere Teams'})} von dir.`,
  onlyYou: 'Nur du kannst das sehen.',
  noTeam: 'Du bist noch in keinem Team, also fehlt niemand.',
  noRun: 'Kein Standup ist offen, also gibt es niemanden zu erinnern.',
  remind: 'Erinnern',
  remindFor: (team) => `Fehlende in ${team} erinnern`,
  remindAsk: 'Jetzt erinnern? Jede Person bekommt eine Direktnachricht.',
  notYours: (team) => `Nur die Leitung von ${team}, Inhaber und Admins können Erinnerungen senden.`,
  leadNone: 'Nur Teamleitung, Inhaber und Admins können Erinnerungen senden.',
  nothingOpen: (team) => `Kein Standup von ${team} ist offen, also wurde niemand erinnert.`,
  tooSoon: (team, minutes) =>
    `Die Fehlenden in ${team} wurden vor weniger als fünf Minuten erinnert. Versuche es in ${plural(minutes, {one: '# Minute', other: '# Minuten'})} erneut.`,
  reminders: (team) => `Erinnerungen für ${team}`,
  reminded: (names) => `Erinnert: ${names}`,
  noneReminded: (team) => `Niemand in ${team} wurde erinnert.`,
  notReminded: {
    expected: (names) => `Nicht erinnert (Ruhezeit bis zum Schließen): ${names}`,
    reminders_off: (names) => `Nicht erinnert (Erinnerungen aus): ${names}`,
    no_slack: (names) => `Nicht erinnert (nicht in Slack): ${names}`,
    unreachable: (names) => `Slack konnte sie vorher nicht erreichen: ${names}`,
    missed: (names) => `Nicht erinnert (für sie geschlossen): ${names}`,
    skipped: (names) => `Nicht erinnert (heute ausgesetzt): ${names}`,
    away: (names) => `Nicht erinnert (abwesend): ${names}`,
    holiday: (names) => `Nicht erinnert (Feiertag): ${names}`,
  },
  posted: (count) => `Geschrieben: ${people(count)}`,
  leads: 'Teamleitung',
  leadsHint:
    'Die Teamleitung kann das Team ändern, sehen, wer fehlt, und Erinnerungen senden. Neue bekommen eine Nachricht.',
  membersHint: (max) => `Höchstens ${max} auf einmal. Alle, die du hinzufügst, bekommen eine Nachricht.`,
  notLed: 'Teamleitung nicht geändert:',
  errors: {
    noLead:
      'Wähle mindestens eine Person als Teamleitung. Ohne sie können nur Inhaber und Admins das Team ändern.',
    notIn: 'Die Teamleitung muss im Team sein. Füge die Person auch zum Team hinzu.',
  },
  leftAsLead: (team) =>
    `Du hast ${team} verlassen. Es hat jetzt keine Leitung. Inhaber und Admins können im Tab „Home“ in den Team-Einstellungen eine wählen.`,
  ungoverned:
    'Noch ist hier niemand aus Slack Inhaber oder Admin, also kann niemand helfen, wenn eine Teamleitung fehlt. Du bist Slack-Admin. Dein Betreiber kann Slack-Admins hier mit der Einstellung SLACK_ADMINS_ARE_ADMINS=true zu Admins machen.',
  added: (team, by) => `Hallo! ${by ?? 'Jemand'} hat dich zu ${team} hinzugefügt.`,
  madeLead: (team, by) =>
    by === undefined ? `Du leitest jetzt ${team}.` : `${by} hat dich zur Leitung von ${team} gemacht.`,
  observes: 'Du bist Beobachter: Du siehst die Standups und wirst nie nach einem gefragt.',
  youLead: 'Als Teamleitung kannst du das Team ändern, sehen, wer fehlt, und erinnern.',
  itsChannel: (channel) => `Sein Channel ist ${channel}.`,
  asked: {
    opening: 'Ich frage dich hier, wenn ein Standup öffnet.',
    before_closing: 'Ich erinnere dich hier, bevor es schließt, wenn du noch nicht geschrieben hast.',
    both: 'Ich frage dich hier, wenn ein Standup öffnet. Bevor es schließt, erinnere ich dich, wenn du noch nicht geschrieben hast.',
  },
  notAsked: 'Du hast Erinnerungen ausgeschaltet, daher frage ich dich nicht.',
  begun: (team, by) =>
    by === undefined
      ? `Die Standups von ${team} sind hier eingerichtet.`
      : `${by} hat hier die Standups von ${team} eingerichtet.`,
  howToPost:
    'Schreibe jederzeit mit /standup und deinem Text, oder gib nur /standup ein, um das Formular zu öffnen.',
  noTimes: 'Es gibt keinen Zeitplan. Schreibe jederzeit.',
  ownClock: 'Ortszeit jeder Person',
  clockOf: (city) => (city === 'UTC' ? 'UTC' : `Zeit in ${city}`),
  daysFrom: (first, last) => `${first} bis ${last}`,
  weeklyTimes: (days, weeks, {opens, closes, by}) =>
    `Standups sind offen: ${weeks === 1 ? '' : `alle ${weeks} Wochen, `}${days}, von ${opens} bis ${closes} (${by}).`,
  monthly: (nth, day, {opens, closes, by}) =>
    `Standups sind offen: jeden ${nthWords[nth]} ${day} im Monat, von ${opens} bis ${closes} (${by}).`,
  moreFields: 'Mehr: Tage, Erinnerungen, Fragen …',
  notification: 'Der Channel und alle, die du hinzufügst, bekommen dazu eine Nachricht.',
  promptAt: 'Wann nach dem Standup gefragt wird',
  promptTimes: {
    opening: 'Wenn es öffnet',
    before_closing: 'Bevor es schließt, bei den Erinnerungen',
    both: 'Wenn es öffnet und noch einmal, bevor es schließt',
  },
  mentions: 'Wen Erwähnungen in Standups benachrichtigen',
  mentionsOf: {none: 'Niemanden', team: 'Teammitglieder', workspace: 'Alle im Workspace'},
  weekly: 'Wöchentliche Zusammenfassung im Channel',
};
