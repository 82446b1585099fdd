import {plural} from '../plural.ts';

const count = (amount: number, one: string, other: string): string =>
  `${amount} ${plural('en', amount, {one, other})}`;

export const blockers = {
  sub: (open: number, old: number) =>
    `${count(open, 'open blocker', 'open blockers')}${old === 0 ? '' : `, ${old} for three days or more`}`,
  filters: 'Filters',
  team: 'Team',
  mine: 'My teams',
  everyTeam: 'All teams',
  state: 'State',
  states: {open: 'Open', acknowledged: 'Acknowledged', resolved: 'Resolved'},
  author: 'Raised by',
  anyone: 'Anyone',
  chosenPerson: 'One person',
  me: (name: string) => `${name} (you)`,
  list: 'Blockers',
  days: (days: number) => (days === 0 ? 'today' : count(days, 'day', 'days')),
  daysOpen: (days: number) => (days === 0 ? 'Raised today' : `Open for ${count(days, 'day', 'days')}`),
  took: (days: number) => (days === 0 ? 'Resolved the same day' : `Took ${count(days, 'day', 'days')}`),
  fromStandup: 'from a standup',
  readStandup: (name: string) => `from a standup of ${name}`,
  acknowledgedBy: (name: string) => `${name} is on it`,
  acknowledgedByYou: 'You’re on it',
  resolvedBy: (name: string) => `Resolved by ${name}`,
  resolvedByYou: 'Resolved by you',
  formerMember: 'a former member',
  unassigned: 'Unassigned',
  actions: {
    acknowledge: 'Acknowledge',
    resolve: 'Resolve',
    again: 'Reopen',
    edit: 'Edit',
  },
  done: {acknowledged: 'You’re on it.', resolved: 'Resolved.', raised: 'Reopened.'},
  one: {
    title: 'One blocker',
    of: (name: string) => `Blocker of ${name}`,
    back: 'All blockers',
    gone: 'Blocker not found',
    goneText: 'It may have been deleted with its standup.',
  },
  older: 'Show more',
  resolvedFold: 'Resolved',
  empty: {
    open: {
      title: 'No open blockers',
      text: 'Good news! When something blocks you, raise it here or in your standup.',
    },
    acknowledged: {
      title: 'No acknowledged blockers',
      text: 'Acknowledged blockers appear here until they are resolved.',
    },
    resolved: {title: 'No resolved blockers yet', text: 'Resolved blockers appear here.'},
    noTeam: {
      title: 'You’re not in a team yet',
      text: 'See Today for the teams and how to join one. Choose All teams to read every blocker.',
    },
  },
  raise: {
    open: 'Raise a blocker',
    title: 'Raise a blocker',
    text: 'What is blocking you?',
    hint: 'Everyone in the team can read it.',
    team: 'Team',
    blockedMember: 'Who is blocked',
    submit: 'Raise',
    cancel: 'Cancel',
    discard: 'Discard',
    raised: 'Raised. Your team can see it.',
    kept: 'Your text is kept in this browser until you raise or discard it.',
  },
  edit: {text: 'What is blocking you?', save: 'Save', cancel: 'Cancel'},
  missing: 'Describe the blocker.',
  keys: {move: 'move', acknowledge: 'acknowledge', resolve: 'resolve', edit: 'edit'},
};
