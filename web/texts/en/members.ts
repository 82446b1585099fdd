import {plural} from '../plural.ts';

const count = (amount: number, one: string, other: string): string =>
  `${amount} ${plural('en', amount, {one, other})}`;

const list = (names: readonly string[]): string =>
  new Intl.ListFormat('en', {type: 'disjunction'}).format(names);

export const members = {
  title: 'People',
  sub: 'Everyone in the workspace.',
  filters: 'Filters',
  search: 'Search',
  searchHint: 'Name or e-mail address',
  team: 'Team',
  anyTeam: 'Any team',
  role: 'Role',
  anyRole: 'Any role',
  roles: {owner: 'Owner', admin: 'Admin', member: 'Member'},
  list: 'People',
  more: 'Show more',
  searchOn: 'Search further',
  none: {
    title: 'No people',
    text: 'No people here yet.',
    filtered: 'No one matches these filters. Try fewer letters, or any team and role.',
  },
  noEmail: 'No e-mail address',
  noTeam: 'Not in a team',
  moreTeams: 'and more',
  teamZone: 'Same as their teams',
  slack: 'In Slack',
  noSlack: 'Not in Slack',
  seen: 'seen',
  actions: {
    label: (name: string) => `Actions for ${name}`,
    change: 'Edit …',
    link: 'Sign-in link …',
    export: 'Download their data',
    remove: 'Remove …',
    erase: 'Erase all data …',
  },
  form: {
    add: 'Add person',
    change: (name: string) => `Edit ${name}`,
    submitNew: 'Add',
    submit: 'Save',
    name: 'Name',
    email: 'E-mail address',
    emailHints: {
      provider: (names: readonly string[]) => `They sign in with it through ${list(names)}.`,
      slack: 'Links them to their Slack account.',
      link: 'Optional. They sign in with a link that you create.',
    },
    confirmHint: (slackUser: string | null) =>
      slackUser === null
        ? 'Anyone with this address can sign in as an owner. Check that it is theirs.'
        : `This address and the Slack user ${slackUser} can sign in as an owner. Check that both are theirs.`,
    ownerHint: 'Only an owner can make someone an owner.',
    roleHints: {
      owner: 'Can do everything, including making others owners.',
      admin: 'Manages people, teams, tokens and webhooks.',
      member: 'Posts standups and can lead teams.',
    },
    added: (name: string) => `${name} added.`,
    makeLink: 'Create sign-in link',
    changed: (name: string) => `${name} saved.`,
    cures: {
      last_owner: 'A workspace needs at least one owner.',
      email_taken: 'Search for this address, or enter another one.',
    },
  },
  link: {
    title: (name: string) => `Sign-in link for ${name}`,
    text: 'It works once, for 10 minutes. Anyone who opens it is signed in as this person, so send it only to them.',
    make: 'Create link',
    label: 'Sign-in link',
    copy: 'Copy link',
  },
  remove: {
    title: (name: string) => `Remove ${name}?`,
    text: 'This signs them out, revokes their tokens and removes them from their teams. Their standups stay under their name. This can’t be undone.',
    confirm: 'Remove',
    done: (name: string) => `${name} removed.`,
  },
  erase: {
    title: (name: string) => `Erase all data of ${name}?`,
    text: 'This removes them and deletes everything they wrote, earlier versions and mentions of their name too. Download their data first if you need it. This can’t be undone.',
    confirm: 'Erase all data',
    done: (name: string) => `${name} is being erased.`,
  },
  erasure: {
    title: 'Erasing a person',
    list: 'Erasures',
    none: 'No one was erased in the last 90 days.',
    hide: 'Hide',
    states: {
      queued: 'Waiting to start',
      running: 'Erasing …',
      failed: 'Failed. Will retry automatically.',
      done: 'Everything erased',
    },
    counts: (gone: number, all: number) => `${gone} of ${all} erased`,
    kinds: {
      standups: (amount: number) => count(amount, 'standup', 'standups'),
      blockers: (amount: number) => count(amount, 'blocker', 'blockers'),
      absences: (amount: number) => count(amount, 'absence', 'absences'),
      team_places: (amount: number) => count(amount, 'team membership', 'team memberships'),
      access_tokens: (amount: number) => count(amount, 'token or session', 'tokens and sessions'),
      traces: (amount: number) => count(amount, 'earlier text or mention', 'earlier texts and mentions'),
    },
  },
};
