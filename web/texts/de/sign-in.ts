import type {signIn as english} from '../en/sign-in.ts';

export const signIn: typeof english = {
  title: 'Anmelden',
  to: (workspace) => `Beim Workspace „${workspace}“.`,
  continueAs: (name) => `Weiter als ${name}`,
  once: 'Der Link gilt einmal. Wer sonst in diesem Browser angemeldet ist, wird abgemeldet.',
  with: (provider) => `Mit ${provider} anmelden`,
  or: 'oder',
  noPassword: 'Du brauchst kein Passwort. Du meldest dich mit einem Link an, der einmal gilt.',
  ways: {
    title: 'Wie du einen Link bekommst',
    slack: 'Gib in Slack /standup web ein.',
    colleague: 'Bitte einen Inhaber oder Admin deines Workspace, dir einen zu erstellen.',
    operator: 'Auf dem Server kann der Betreiber diesen Befehl ausführen:',
    command: 'npm run -s standup -- login --member deine@adresse.example',
  },
  failed: 'Anmeldung fehlgeschlagen',
  again: 'Erneut versuchen',
  looking: 'Dein Link wird geprüft …',
  problems: {
    cancelled: 'Du hast die Anmeldung abgebrochen. Melde dich erneut an oder nutze einen Link.',
    expired:
      'Diese Anmeldung wurde schon genutzt, dauerte länger als zehn Minuten oder begann in einem anderen Browser oder Tab. Melde dich erneut an.',
    not_confirmed:
      'Der Anbieter hat nicht geprüft, ob du es bist. Öffne zum Bestätigen einen neuen Anmeldelink.',
    unknown_provider: 'Diese Art der Anmeldung ist nicht verfügbar. Wähle eine der anderen unten.',
    provider_refused:
      'Der Anbieter hat die Anmeldung abgelehnt. Versuche es erneut. Wenn es weiter fehlschlägt, schick deinem Betreiber die Anfrage-ID.',
    provider_unavailable:
      'Der Anbieter antwortet nicht. Versuche es in einer Minute erneut oder nutze einen Link.',
    wrong_answer:
      'Die Antwort des Anbieters war nicht für diese Anmeldung und wurde nicht verwendet. Melde dich erneut an. Wenn es weiter fehlschlägt, schick deinem Betreiber die Anfrage-ID.',
    clock:
      'Die Uhren des Anbieters und dieses Dienstes weichen zu stark voneinander ab. Dein Betreiber muss sie korrigieren.',
    email_not_verified:
      'Deine E-Mail-Adresse ist beim Anbieter nicht bestätigt. Bestätige sie dort oder nutze einen Link.',
    unknown_person:
      'Kein Mitglied hier hat deine E-Mail-Adresse. Bitte einen Inhaber oder Admin, dich damit hinzuzufügen.',
    unconfirmed_name:
      'Du bist Inhaber, aber deine Adresse oder dein Slack-Konto hat jemand eingetragen, der es nicht ist. Bitte einen anderen Inhaber, beides auf der Seite „Personen“ zu bestätigen, oder nutze einen Link.',
    unknown_workspace: 'Der Anbieter darf bei diesem Workspace niemanden anmelden. Frag deinen Betreiber.',
    slack_not_connected:
      'Standup ist in diesem Slack-Workspace nicht installiert. Bitte jemanden, der Slack-Apps hinzufügen darf, es zu installieren.',
    slack_guest:
      'Gäste können keine Standups schreiben. Bitte einen Slack-Admin, dich zum vollen Mitglied zu machen.',
    slack_stranger: 'Du gehörst zu einem anderen Slack-Workspace. Melde dich mit diesem an.',
    slack_bot: 'Apps können in Slack keine Standups schreiben. Programme können die API nutzen.',
    slack_known_address:
      'Deine E-Mail-Adresse gehört hier einem Inhaber oder Admin. Eine Adresse allein verknüpft ihn nicht mit Slack. Melde dich mit einem Link an und verknüpfe dann dein Slack-Konto.',
    too_many_tries:
      'Aus deinem Netz kamen zu viele Anmeldungen. Warte eine Minute und melde dich dann erneut an.',
    unavailable: 'Wir können dich gerade nicht anmelden. Versuche es in einer Minute erneut.',
    failed:
      'Bei uns ist etwas schiefgegangen. Versuche es erneut. Wenn es weiter fehlschlägt, schick deinem Betreiber die Anfrage-ID.',
    other: 'Anmeldung fehlgeschlagen. Versuche es erneut oder nutze einen Link.',
  },
};
