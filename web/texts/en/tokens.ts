import {plural} from '../plural.ts';

const count = (amount: number, one: string, other: string): string =>
  `${amount} ${plural('en', amount, {one, other})}`;

export const tokens = {
  title: 'Access tokens',
  sub: 'A token lets a program use the API, as you or as a service account.',
  filter: 'Show tokens of',
  show: {own: 'Me', all: 'Everyone'},
  list: 'Tokens',
  more: 'Show more',
  open: 'Details',
  close: 'Fewer details',
  expires: (when: string) => `Expires ${when}`,
  expiresSoon: 'expires soon',
  used: 'Used',
  unused: 'Never used',
  byYou: (when: string) => `created by you ${when}`,
  by: (name: string, when: string) => `created by ${name} ${when}`,
  byOperator: (when: string) => `created by the operator ${when}`,
  unknownScope: 'This scope is newer than this page. See the API documentation.',
  facts: {
    id: 'Id',
    made: 'Created',
    expires: 'Expires',
    used: 'Last used',
    parent: 'Created with the token',
  },
  empty: {
    own: 'You have no tokens yet',
    all: 'No tokens yet',
    text: 'Create one for a script, for CI, or to try the API. Choose what it can do and when it expires.',
  },
  scopes: {
    'standups:read': {
      label: 'Read standups',
      text: 'Read standups, blockers, runs and participation of all teams.',
    },
    'standups:write': {
      label: 'Write standups',
      text: 'Post, edit and delete the holder’s standups and blockers.',
    },
    'standups:write_any': {
      label: 'Post for others',
      text: 'Post for someone else, within the holder’s role.',
    },
    'teams:read': {label: 'Read teams', text: 'Read teams, their members, schedules and questions.'},
    'teams:write': {
      label: 'Change teams',
      text: 'Create, edit and delete teams, open runs and remind people, within the holder’s role.',
    },
    'members:read': {
      label: 'Read people',
      text: 'Read names, e-mail addresses, time zones, absences and days off.',
    },
    'members:write': {
      label: 'Change people',
      text: 'Add, edit and remove people and add absences, within the holder’s role.',
    },
    'events:read': {
      label: 'Read all events',
      text: 'Read every text, address and change in the workspace, in all teams.',
    },
    'webhooks:manage': {
      label: 'Manage webhooks',
      text: 'Create and edit webhooks, which send events to any address.',
    },
    'workspace:manage': {
      label: 'Manage the workspace',
      text: 'Change its name, retention and settings.',
    },
    'tokens:manage': {
      label: 'Manage tokens',
      text: 'Create and revoke tokens and sign-in links with at most these scopes. Grant it with care.',
    },
  },
  made: {
    title: (name: string) => `${name} created`,
    text: 'Copy it now. It is not shown again.',
    value: 'value',
    curl: 'command',
    try: 'Try it in a terminal:',
    copy: (what: string) => `Copy ${what}`,
    notCopied: 'Your browser blocked copying. Select the text and copy it.',
    done: 'Done',
  },
  make: {
    open: 'Create token',
    title: 'Create token',
    submit: 'Create',
    name: 'Name',
    nameHint: 'A name you will recognise later, such as deploy bot.',
    holder: 'Who uses it',
    forMe: 'Myself',
    forMeHint: 'Acts as you, with your role.',
    forAccount: 'A service account',
    forAccountHint: 'Acts under its own name. It stays when people leave.',
    account: 'Service account',
    accountNew: 'It is created with the token.',
    accountHint: (names: readonly string[]) =>
      `Choose one, or enter a new name: ${names.slice(0, 8).join(', ')}${names.length > 8 ? ' …' : ''}`,
    preset: 'Purpose',
    presetHint: 'Selects the boxes below. You can change them.',
    presets: {
      post: 'Post standups',
      read: 'Read standups, teams and people',
      integrate: 'Integrate: events and webhooks',
      own: 'Custom',
    },
    scopes: 'Permissions',
    expiry: 'Expires in',
    expiryHint: 'Shorter is safer. You can’t extend it later.',
    days: (days: number) => count(days, 'day', 'days'),
  },
  revoke: {
    open: 'Revoke',
    title: (name: string) => `Revoke ${name}?`,
    text: 'Programs that use it stop working at once. Tokens created with it are revoked too. This can’t be undone.',
    confirm: 'Revoke token',
    done: (name: string) => `${name} revoked.`,
  },
  accounts: {
    title: 'Service accounts',
    text: 'Bot accounts for programs. Created with their first token.',
    none: 'None yet. Create a token for one.',
    tokens: (amount: number) => (amount === 0 ? 'no tokens' : count(amount, 'token', 'tokens')),
    made: (when: string) => `created ${when}`,
    delete: 'Delete',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteText: 'All its tokens stop working at once. What it posted stays under its name.',
    deleted: (name: string) => `${name} and its tokens deleted.`,
  },
};
