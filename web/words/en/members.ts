import {plural} from '../plural.ts';

const count = (amount: number, one: string, other: string): string =>
  `${amount} ${plural('en', amount, {one, other})}`;

const list = (names: readonly string[]): string =>
  new Intl.ListFormat('en', {type: 'disjunction'}).format(names);

export const members = {
  title: 'People',
  sub: 'Everybody of the workspace. A name leads to their page.',
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
  searchOn: 'Search on',
  none: {
    title: 'Nobody',
    text: 'Nobody is here yet.',
    filtered: 'Nobody fits these filters. Try fewer letters, or any team and role.',
  },
  noEmail: 'No e-mail address',
  noTeam: 'In no team',
  moreTeams: 'and more',
  teamZone: 'Time zone of their teams',
  slack: 'In Slack',
  noSlack: 'Not in Slack',
  seen: 'seen',
  actions: {
    label: (name: string) => `What to do with ${name}`,
    change: 'Change …',
    link: 'Sign-in link …',
    export: 'Download their data',
    remove: 'Remove …',
    erase: 'Erase everything …',
  },
  form: {
    add: 'Add somebody',
    change: (name: string) => `Change ${name}`,
    submitNew: 'Add',
    submit: 'Save',
    name: 'Name',
    email: 'E-mail address',
    emailHints: {
      provider: (names: readonly string[]) => `They sign in with it by ${list(names)}.`,
      slack: 'In Slack they are known by it.',
      link: 'Not needed: they sign in by a link that you make.',
    },
    confirmHint: (slackUser: string | null) =>
      slackUser === null
        ? 'This address signs in as an owner. Check that it is theirs.'
        : `This address and the Slack user ${slackUser} sign in as an owner. Check that both are theirs.`,
    ownerHint: 'Only an owner makes somebody an owner.',
    roleHints: {
      owner: 'May do everything, and makes other owners.',
      admin: 'Runs the workspace: people, teams, tokens, webhooks.',
      member: 'Posts standups, and may lead teams.',
    },
    added: (name: string) => `${name} was added.`,
    makeLink: 'Make a sign-in link',
    changed: (name: string) => `${name} is changed.`,
    cures: {
      last_owner: 'A workspace always has an owner.',
      email_taken: 'Search for the address to find them, or give another one.',
    },
  },
  link: {
    title: (name: string) => `Sign-in link for ${name}`,
    text: 'It works once, for 10 minutes, and signs in anybody who opens it. Send it to nobody else.',
    make: 'Make the link',
    label: 'Sign-in link',
    copy: 'Copy the link',
  },
  remove: {
    title: (name: string) => `Remove ${name}?`,
    text: 'They are signed out, their tokens are refused, and they leave their teams. What they wrote stays, under their name. There is no way back.',
    confirm: 'Remove',
    done: (name: string) => `${name} is removed.`,
  },
  erase: {
    title: (name: string) => `Erase everything of ${name}?`,
    text: 'They are removed, with all that they wrote, every earlier text and every mention of their name. Download their data first if you need it. There is no way back.',
    confirm: 'Erase everything',
    done: (name: string) => `${name} is being erased.`,
  },
  erasure: {
    title: 'Erasing a person',
    list: 'Erasures',
    none: 'Nobody was erased in the last 90 days.',
    hide: 'Hide',
    states: {
      queued: 'Waiting to begin',
      running: 'Erasing …',
      failed: 'The last try failed; the next one begins by itself',
      done: 'Everything is erased',
    },
    counts: (gone: number, all: number) => `${gone} of ${all} erased`,
    kinds: {
      standups: (amount: number) => count(amount, 'standup', 'standups'),
      blockers: (amount: number) => count(amount, 'blocker', 'blockers'),
      absences: (amount: number) => count(amount, 'absence', 'absences'),
      team_places: (amount: number) => count(amount, 'place in a team', 'places in teams'),
      access_tokens: (amount: number) => count(amount, 'token or session', 'tokens and sessions'),
      traces: (amount: number) => count(amount, 'earlier text or mention', 'earlier texts and mentions'),
    },
  },
};
