export const signIn = {
  title: 'Sign in',
  to: (workspace: string) => `To the workspace “${workspace}”.`,
  continueAs: (name: string) => `Continue as ${name}`,
  once: 'The link works once. A person who was signed in here before is signed out.',
  with: (provider: string) => `Sign in with ${provider}`,
  or: 'or',
  noPassword: 'There is no password. You sign in by a link that works once.',
  ways: {
    title: 'How to get a link',
    slack: 'In Slack: type /standup web.',
    colleague: 'From an owner or admin of your workspace: they make one for you.',
    operator: 'From the operator of this service:',
    command: 'npm run -s standup -- login --member you@example.com',
  },
  failed: 'This did not work',
  again: 'Try again',
  looking: 'Looking at your link …',
  /** By the codes in docs/dashboard.md, which has the same sentences. */
  problems: {
    cancelled: 'You did not allow the sign-in. Nothing was changed. Sign in again, or use a link.',
    expired:
      'This sign-in was finished already, took more than ten minutes, or was begun in another browser or tab. Sign in again.',
    not_confirmed:
      'The provider did not ask you to prove that it is you. Nothing was changed: open a fresh sign-in link to confirm.',
    unknown_provider: 'This way to sign in is not set up, or not any more. Choose one of those below.',
    provider_refused:
      'The provider refused the sign-in. Try again; if it happens again, give the operator of this service the request id.',
    provider_unavailable: 'The provider does not answer at the moment. Try again in a minute, or use a link.',
    wrong_answer:
      'The provider’s answer was not for this sign-in, so it was not used. Sign in again; if it happens again, give the operator of this service the request id.',
    clock:
      'The clocks of the provider and of this service differ too much. The operator has to set them right.',
    email_not_verified:
      'The provider does not say that your e-mail address is verified. Verify it there, or use a link.',
    unknown_person:
      'Nobody here has your e-mail address. Ask an owner or admin of the workspace to add you with it.',
    unconfirmed_name:
      'You are an owner now, and somebody who is no owner gave you this address or Slack user. Ask another owner to confirm it on the page People, or use a link.',
    unknown_workspace:
      'The provider sent you to a workspace that it may not sign people in to. Ask the operator of this service.',
    slack_not_connected:
      'Standup is not installed in this Slack workspace, or not any more. Ask somebody who may add apps there to install it.',
    slack_guest:
      'Only people of this workspace can post standups, and you are a guest here. Ask an admin of the workspace to make you a full member.',
    slack_stranger:
      'Only people of this workspace can post standups, and you belong to another one. Sign in with your own workspace.',
    slack_bot: 'Only people of this workspace can post standups, not apps. A program posts by the API.',
    slack_known_address:
      'Your e-mail address is that of an owner or admin here, and an address alone does not link them to Slack. Sign in by a link, and link yourself first.',
    too_many_tries: 'Too many sign-ins came from your network. Wait a minute, and sign in again.',
    unavailable: 'The service cannot sign you in at the moment. Try again in a minute.',
    failed:
      'Something went wrong on our side. Try again; if it happens again, give the operator of this service the request id.',
    other: 'Signing in did not work. Try again, or use a link.',
  } as Readonly<Record<string, string>> & {readonly other: string},
};
