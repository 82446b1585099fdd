export const signIn = {
  title: 'Sign in',
  to: (workspace: string) => `To the workspace “${workspace}”.`,
  continueAs: (name: string) => `Continue as ${name}`,
  once: 'The link works once. Whoever was signed in here before is signed out.',
  with: (provider: string) => `Sign in with ${provider}`,
  or: 'or',
  noPassword: 'There is no password. You sign in by a link that works once.',
  ways: {
    title: 'Where a link is from',
    slack: 'In Slack: type /standup web.',
    colleague: 'From an owner or admin of your workspace: they make one for you.',
    operator: 'From whoever runs this service:',
    command: 'npm run -s standup -- login --member you@example.com',
  },
  failed: 'This did not work',
  again: 'Try again',
  looking: 'Looking at your link …',
  problems: {
    other: 'Signing in did not work. Try again, or use a link.',
  } as Readonly<Record<string, string>> & {readonly other: string},
};
