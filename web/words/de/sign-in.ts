import type {signIn as english} from '../en/sign-in.ts';

export const signIn: typeof english = {
  title: 'Anmelden',
  to: (workspace) => `Beim Workspace „${workspace}“.`,
  continueAs: (name) => `Weiter als ${name}`,
  once: 'Der Link gilt einmal. Wer hier zuvor angemeldet war, wird abgemeldet.',
  with: (provider) => `Mit ${provider} anmelden`,
  or: 'oder',
  noPassword: 'Es gibt kein Passwort. Du meldest dich mit einem Link an, der einmal gilt.',
  ways: {
    title: 'Wie du einen Link bekommst',
    slack: 'In Slack: gib /standup web ein.',
    colleague: 'Von einem Inhaber oder Admin deines Workspace: sie machen dir einen.',
    operator: 'Von der Person, die diesen Dienst betreibt:',
    command: 'npm run -s standup -- login --member deine@adresse.example',
  },
  failed: 'Das hat nicht geklappt',
  again: 'Noch einmal versuchen',
  looking: 'Dein Link wird geprüft …',
  problems: {
    cancelled:
      'Du hast die Anmeldung nicht erlaubt. Es wurde nichts geändert. Melde dich noch einmal an, oder nimm einen Link.',
    expired:
      'Diese Anmeldung war schon beendet, hat länger als zehn Minuten gedauert oder begann in einem anderen Browser oder Tab. Melde dich noch einmal an.',
    not_confirmed:
      'Der Anbieter hat nicht gefragt, ob du es bist. Es wurde nichts geändert: öffne zum Bestätigen einen neuen Anmelde-Link.',
    unknown_provider:
      'Diese Art der Anmeldung ist nicht eingerichtet, oder nicht mehr. Wähle eine von denen hier unten.',
    provider_refused:
      'Der Anbieter hat die Anmeldung abgelehnt. Versuche es noch einmal; geschieht es wieder, gib der Person, die diesen Dienst betreibt, die Nummer der Anfrage.',
    provider_unavailable:
      'Der Anbieter antwortet gerade nicht. Versuche es in einer Minute noch einmal, oder nimm einen Link.',
    wrong_answer:
      'Die Antwort des Anbieters war nicht für diese Anmeldung und wurde nicht verwendet. Melde dich noch einmal an; geschieht es wieder, gib der Person, die diesen Dienst betreibt, die Nummer der Anfrage.',
    clock:
      'Die Uhren des Anbieters und dieses Dienstes gehen zu verschieden. Die Person, die diesen Dienst betreibt, muss sie stellen.',
    email_not_verified:
      'Der Anbieter sagt nicht, dass deine E-Mail-Adresse bestätigt ist. Bestätige sie dort, oder nimm einen Link.',
    unknown_person:
      'Niemand hier hat deine E-Mail-Adresse. Bitte einen Inhaber oder Admin des Workspace, dich damit aufzunehmen.',
    unconfirmed_name:
      'Du bist jetzt Inhaber, und diese Adresse oder diesen Slack-Benutzer hat jemand eingetragen, der kein Inhaber ist. Bitte einen anderen Inhaber, es auf der Seite Personen zu bestätigen, oder nimm einen Link.',
    unknown_workspace:
      'Der Anbieter hat dich zu einem Workspace geschickt, bei dem er niemanden anmelden darf. Frage die Person, die diesen Dienst betreibt.',
    slack_not_connected:
      'Standup ist in diesem Slack-Workspace nicht installiert, oder nicht mehr. Wer dort Apps hinzufügen darf, installiert es.',
    slack_guest:
      'Nur Personen dieses Workspace können Standups schreiben, und du bist dort Gast. Bitte einen Admin des Workspace, dich zum vollen Mitglied zu machen.',
    slack_stranger:
      'Nur Personen dieses Workspace können Standups schreiben, und du gehörst zu einem anderen. Melde dich mit deinem eigenen Workspace an.',
    slack_bot:
      'Nur Personen dieses Workspace können Standups schreiben, keine Apps. Ein Programm schreibt über die API.',
    slack_known_address:
      'Deine E-Mail-Adresse ist die eines Inhabers oder Admins hier, den eine Adresse allein nicht mit Slack verbindet. Melde dich mit einem Link an und verbinde dich zuerst.',
    too_many_tries:
      'Aus deinem Netz kamen zu viele Anmeldungen. Warte eine Minute und melde dich noch einmal an.',
    unavailable: 'Der Dienst kann dich gerade nicht anmelden. Versuche es in einer Minute noch einmal.',
    failed:
      'Bei uns ist etwas schiefgegangen. Versuche es noch einmal; geschieht es wieder, gib der Person, die diesen Dienst betreibt, die Nummer der Anfrage.',
    other: 'Die Anmeldung hat nicht geklappt. Versuche es noch einmal, oder nimm einen Link.',
  },
};
