export const signIn = {
  title: 'Sign in',
  to: (workspace: string) => `To the workspace “${workspace}”.`,
  continueAs: (name: string) => `Continue as ${name}`,
  once: 'The link works once. Anyone else signed in to this browser is signed out.',
  with: (provider: string) => `Sign in with ${provider}`,
  or: 'or',
  noPassword: 'You don’t need a password. You sign in with a link that works once.',
  ways: {
    title: 'How to get a link',
    slack: 'In Slack: type /standup web.',
    colleague: 'Ask an owner or admin of your workspace to create one for you.',
    operator: 'On the server, the operator can run:',
    command: 'npm run -s standup -- login --member you@example.com',
  },
  failed: 'Sign-in failed',
  again: 'Try again',
  looking: 'Checking your link …',
  /** By the codes in docs/dashboard.md, which has the same sentences. */
  problems: {
    cancelled: 'You cancelled the sign-in. Sign in again, or use a link.',
    expired:
      'This sign-in was already used, took more than ten minutes, or started in another browser or tab. Sign in again.',
    not_confirmed: 'The provider did not ask you to prove it’s you. Open a new sign-in link to confirm.',
    unknown_provider: 'This way to sign in is not available. Choose one of those below.',
    provider_refused:
      'The provider refused the sign-in. Try again. If it keeps failing, send the request id to your operator.',
    provider_unavailable: 'The provider is not responding. Try again in a minute, or use a link.',
    wrong_answer:
      'The provider’s answer was not for this sign-in, so it was not used. Sign in again. If it keeps failing, send the request id to your operator.',
    clock:
      'The clocks of the provider and of this service differ too much. Your operator has to correct them.',
    email_not_verified:
      'Your e-mail address is not verified with the provider. Verify it there, or use a link.',
    unknown_person: 'No member here has your e-mail address. Ask an owner or admin to add you with it.',
    unconfirmed_name:
      'You are an owner, and your address or Slack account was set by someone who is not. Ask another owner to confirm it on the People page, or use a link.',
    unknown_workspace: 'The provider is not allowed to sign people in to this workspace. Ask your operator.',
    slack_not_connected:
      'Standup is not installed in this Slack workspace. Ask someone who can add Slack apps to install it.',
    slack_guest: 'Guests can’t post standups. Ask a Slack admin to make you a full member.',
    slack_stranger: 'You belong to another Slack workspace. Sign in with that one.',
    slack_bot: 'Apps can’t post standups in Slack. Programs can use the API.',
    slack_known_address:
      'Your e-mail address belongs to an owner or admin here, and an address alone does not link them to Slack. Sign in with a link, then link your Slack account.',
    too_many_tries: 'Too many sign-ins came from your network. Wait a minute, then sign in again.',
    unavailable: 'We can’t sign you in right now. Try again in a minute.',
    failed:
      'Something went wrong on our side. Try again. If it keeps failing, send the request id to your operator.',
    other: 'Sign-in failed. Try again, or use a link.',
  } as Readonly<Record<string, string>> & {readonly other: string},
};
