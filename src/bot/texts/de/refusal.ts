import type {Texts} from '../catalogue.js';

export const refusal: Texts['refusal'] = {
  unknownWorkspace: 'Dieser Slack-Workspace ist nicht verbunden.',
  changedMeanwhile: 'Jemand hat dieses Standup gleichzeitig geändert. Versuche es erneut.',
  tooLong: 'Der Text ist zu lang.',
  postedAlready: 'Das wurde schon gesendet.',
  notTaken: 'So lässt sich das nicht speichern. Ändere es oder frag deinen Betreiber.',
  notAllowed: 'Das darfst du nicht. Bitte einen Inhaber, es zu tun oder deine Rolle zu ändern.',
  outsideTeam:
    'Du bist nicht in diesem Team. Schreibe in seinem Channel oder bitte die Teamleitung, dich hinzuzufügen.',
  observer:
    'Du bist Beobachter dieses Teams und kannst nicht schreiben. Die Teamleitung kann dich zum Mitglied machen.',
  notAuthor: 'Das kann nur, wer das Standup geschrieben hat.',
  changeStandup:
    'Nur wer es geschrieben hat, Teamleitung, Inhaber und Admins können dieses Standup ändern oder löschen.',
  resolveBlocker:
    'Diesen Blocker lösen können nur: wer ihn gemeldet hat, wer dran ist, Teamleitung, Inhaber und Admins.',
  acknowledgeBlocker: 'Nur Teammitglieder, Inhaber und Admins können diesen Blocker übernehmen.',
  enterAbsence: 'Nur die Person selbst, Teamleitung, Inhaber und Admins können eine Abwesenheit eintragen.',
  leadOnly: 'Das können nur Teamleitung, Inhaber und Admins.',
  adminOnly: 'Das können nur Inhaber und Admins.',
  ownerOnly: 'Das kann nur ein Inhaber.',
  notAccepted:
    'Diese Person wurde von der Teamleitung hinzugefügt und hat in diesem Team noch nicht geschrieben. Bis dahin kann niemand für sie handeln.',
  knownAddress:
    'Deine E-Mail-Adresse gehört hier einem Inhaber oder Admin. Eine Adresse allein ist kein Beweis. Wie du dein Konto verknüpfst, steht in der Slack-Anleitung unter „Who is who“.',
  unconfirmedName:
    'Du bist Inhaber, aber dein Slack-Konto hat jemand verknüpft, der es nicht ist. Bitte einen anderen Inhaber, es auf der Seite „Personen“ zu bestätigen.',
  gone: 'Das wurde gelöscht.',
  teamGone: 'Dieses Team wurde gelöscht.',
  runClosed:
    'Dieses Standup ist geschlossen, und das Team nimmt keine verspäteten an. Schreibe für einen anderen Tag oder frag die Teamleitung.',
  dateNotAllowed: 'Dieser Tag liegt zu weit in der Vergangenheit oder Zukunft.',
  runExists: 'Das Team hat heute schon ein Standup.',
  noOpenRun: 'Kein Standup dieses Teams ist offen.',
  teamPaused: 'Dieses Team ist pausiert. Die Teamleitung kann es in seinen Einstellungen fortsetzen.',
  rateLimited: 'Zu viele Versuche. Warte eine Minute und versuche es dann erneut.',
  limitReached: 'Die Höchstzahl ist erreicht. Entferne zuerst etwas.',
  manyBlockers: 'Dieses Team hat die Höchstzahl offener Blocker erreicht. Löse zuerst einige.',
  manyAbsences:
    'Du hast die Höchstzahl an Abwesenheiten erreicht. Beende eine mit /standup back oder frag die Teamleitung.',
  manyTeams: 'Der Workspace hat die Höchstzahl an Teams erreicht. Bitte einen Admin, eines zu löschen.',
  calendarGone: 'Dieser Kalender wurde gelöscht. Wähle einen anderen.',
  regionAlone: 'Eine Region braucht ein Land. Gib auch eines ein, etwa DE.',
  longAbsence:
    'Das ist länger als ein Jahr. Gib /standup ooo until further notice ein, und /standup back, wenn du zurück bist.',
  uncertain: 'Das wurde vielleicht nicht gespeichert. Versuche es erneut; gespeichert wird es nur einmal.',
  storeAway: 'Der Dienst kommt gerade nicht an seine Daten. Versuche es in einer Minute erneut.',
  slackAway: 'Slack antwortet nicht. Versuche es in einer Minute erneut.',
  storeLost: 'Die Daten dieses Workspace fehlen. Wende dich an deinen Betreiber.',
  storeFull: 'Der Dienst hat keinen Platz mehr. Wende dich an deinen Betreiber.',
  workspaceFull:
    'Dieser Workspace ist voll. Bitte einen Inhaber oder Admin, alte Standups zu löschen oder die Aufbewahrung zu verkürzen. Oder bitte deinen Betreiber um mehr Platz.',
  internalError: 'Bei uns ist etwas schiefgegangen.',
};
