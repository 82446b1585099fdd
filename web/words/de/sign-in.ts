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
    other: 'Die Anmeldung hat nicht geklappt. Versuchen Sie es noch einmal, oder nehmen Sie einen Link.',
  },
};
