import type {signIn as english} from '../en/sign-in.ts';

export const signIn: typeof english = {
  title: 'Anmelden',
  to: (workspace) => `Beim Workspace „${workspace}“.`,
  continueAs: (name) => `Weiter als ${name}`,
  once: 'Der Link gilt einmal. Wer hier zuvor angemeldet war, wird abgemeldet.',
  with: (provider) => `Mit ${provider} anmelden`,
  or: 'oder',
  noPassword: 'Es gibt kein Passwort. Sie melden sich mit einem Link an, der einmal gilt.',
  ways: {
    title: 'Woher ein Link kommt',
    slack: 'In Slack: geben Sie /standup web ein.',
    colleague: 'Von einem Owner oder Admin Ihres Workspace: sie machen Ihnen einen.',
    operator: 'Von der Person, die diesen Dienst betreibt:',
    command: 'npm run -s standup -- login --member ihre@adresse.example',
  },
  failed: 'Das hat nicht geklappt',
  again: 'Noch einmal versuchen',
  looking: 'Ihr Link wird geprüft …',
  problems: {
    cancelled:
      'Sie haben die Anmeldung nicht erlaubt. Es wurde nichts geändert. Melden Sie sich noch einmal an, oder nehmen Sie einen Link.',
    expired:
      'Diese Anmeldung war schon beendet, hat länger als zehn Minuten gedauert oder begann in einem anderen Browser oder Tab. Melden Sie sich noch einmal an.',
    not_confirmed:
      'Der Anbieter hat nicht gefragt, ob Sie es sind. Es wurde nichts geändert: öffnen Sie zum Bestätigen einen neuen Anmeldelink.',
    unknown_provider:
      'Diese Art der Anmeldung ist nicht eingerichtet, oder nicht mehr. Wählen Sie eine von denen hier unten.',
    provider_refused:
      'Der Anbieter hat die Anmeldung abgelehnt. Versuchen Sie es noch einmal; geschieht es wieder, geben Sie der Person, die diesen Dienst betreibt, die Nummer der Anfrage.',
    provider_unavailable:
      'Der Anbieter antwortet gerade nicht. Versuchen Sie es in einer Minute noch einmal, oder nehmen Sie einen Link.',
    wrong_answer:
      'Die Antwort des Anbieters war nicht für diese Anmeldung und wurde nicht verwendet. Melden Sie sich noch einmal an; geschieht es wieder, geben Sie der Person, die diesen Dienst betreibt, die Nummer der Anfrage.',
    clock:
      'Die Uhren des Anbieters und dieses Dienstes gehen zu verschieden. Die Person, die diesen Dienst betreibt, muss sie stellen.',
    email_not_verified:
      'Der Anbieter sagt nicht, dass Ihre E-Mail-Adresse bestätigt ist. Bestätigen Sie sie dort, oder nehmen Sie einen Link.',
    unknown_person:
      'Niemand hier hat Ihre E-Mail-Adresse. Bitten Sie einen Owner oder Admin des Workspace, Sie damit aufzunehmen.',
    unknown_workspace:
      'Der Anbieter hat Sie zu einem Workspace geschickt, bei dem er niemanden anmelden darf. Fragen Sie die Person, die diesen Dienst betreibt.',
    slack_not_connected:
      'Standup ist in diesem Slack-Workspace nicht installiert, oder nicht mehr. Wer dort Apps hinzufügen darf, installiert es.',
    slack_guest:
      'Nur Personen dieses Workspace können Standups schreiben, und Sie sind dort Gast. Bitten Sie einen Admin des Workspace, Sie zum vollen Mitglied zu machen.',
    slack_stranger:
      'Nur Personen dieses Workspace können Standups schreiben, und Sie gehören zu einem anderen. Melden Sie sich mit Ihrem eigenen Workspace an.',
    slack_bot:
      'Nur Personen dieses Workspace können Standups schreiben, keine Apps. Ein Programm schreibt über die API.',
    slack_known_address:
      'Ihre E-Mail-Adresse ist die eines Owners oder Admins hier, den eine Adresse allein nicht mit Slack verbindet. Melden Sie sich mit einem Link an und verbinden Sie sich zuerst.',
    too_many_tries:
      'Aus Ihrem Netz kamen zu viele Anmeldungen. Warten Sie eine Minute und melden Sie sich noch einmal an.',
    unavailable: 'Der Dienst kann Sie gerade nicht anmelden. Versuchen Sie es in einer Minute noch einmal.',
    failed:
      'Bei uns ist etwas schiefgegangen. Versuchen Sie es noch einmal; geschieht es wieder, geben Sie der Person, die diesen Dienst betreibt, die Nummer der Anfrage.',
    other: 'Die Anmeldung hat nicht geklappt. Versuchen Sie es noch einmal, oder nehmen Sie einen Link.',
  },
};
