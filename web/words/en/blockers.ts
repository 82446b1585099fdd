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
  acknowledgedBy: (name: string) => `${name} looks after it`,
  acknowledgedByYou: 'You look after it',
  resolvedBy: (name: string) => `Resolved by ${name}`,
  resolvedByYou: 'Resolved by you',
  somebodyGone: 'somebody who is gone',
  nobodyYet: 'Nobody looks after it yet',
  actions: {
    acknowledge: 'Acknowledge',
    resolve: 'Resolve',
    again: 'Raise again',
    edit: 'Edit',
  },
  done: {acknowledged: 'You look after it.', resolved: 'Resolved.', raised: 'Raised again.'},
  one: {
    title: 'One blocker',
    of: (name: string) => `A blocker of ${name}`,
    back: 'All blockers',
    gone: 'This blocker is not there any more',
    goneText: 'It was deleted with its standup, or it was never there.',
  },
  older: 'Show more',
  resolvedFold: 'Resolved',
  empty: {
    open: {
      title: 'Nothing is in anybody’s way',
      text: 'That is good news. When something holds you up, raise it here or in your standup.',
    },
    acknowledged: {
      title: 'Nobody looks after a blocker at the moment',
      text: 'A blocker that somebody acknowledges appears here until it is resolved.',
    },
    resolved: {title: 'No blocker was resolved yet', text: 'Resolved blockers stay here to be read.'},
    noTeam: {
      title: 'You are in no team yet',
      text: 'Today shows the teams there are, and how you get into one. Choose All teams to read everybody’s blockers.',
    },
  },
  raise: {
    open: 'Raise a blocker',
    title: 'Raise a blocker',
    text: 'What is in the way?',
    hint: 'Everybody in the team reads it.',
    team: 'Team',
    whose: 'Person it holds up',
    submit: 'Raise',
    cancel: 'Cancel',
    discard: 'Discard',
    raised: 'Raised. Your team sees it.',
    kept: 'What you typed is kept in this browser until you raise or discard it.',
  },
  edit: {text: 'What is in the way?', save: 'Save', cancel: 'Cancel'},
  missing: 'Say what is in the way.',
  keys: {move: 'move', acknowledge: 'acknowledge', resolve: 'resolve', edit: 'edit'},
};
