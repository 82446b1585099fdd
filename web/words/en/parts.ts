import {plural} from '../plural.ts';

const count = (amount: number, one: string, other: string): string =>
  `${amount} ${plural('en', amount, {one, other})}`;

/** How somebody stands on a day. */
export const status = {
  posted: 'Posted',
  late: 'Late',
  expected: 'Expected',
  missed: 'Missed',
  away: 'Away',
  holiday: 'Holiday',
  skipped: 'Skipped',
  unreachable: 'Unreachable',
  not_expected: 'Not asked',
};

export const parts = {
  nobodyReminded: 'Slack is not set up in this installation, so nobody is reminded.',
  you: 'you',
  undo: 'Undo',
  dismiss: 'Dismiss',
  close: 'Close',
  cancel: 'Cancel',
  clear: 'Clear',
  tryAgain: 'Try again',
  tryAgainIn: (seconds: number) => `Try again in ${seconds} s`,
  notices: 'Notices',
  working: 'Working …',
  loading: 'Loading …',
  requestId: 'Request',
  copied: 'Copied',
  optional: 'optional',
  noMatches: 'Nothing matches.',
  choose: 'Choose …',
  showCalendar: 'Open calendar',
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  until: 'until',
  increase: 'Increase',
  decrease: 'Decrease',
  typeToConfirm: (typed: string) => `Type ${typed} to confirm`,
  characters: (left: number) => `${count(left, 'character', 'characters')} left`,
  tooLong: (over: number) => `${count(over, 'character', 'characters')} too many`,
  edited: 'edited',
  late: 'late',
  answers: {yes: 'Yes', no: 'No', mood: (value: number) => `${value} of 5`},
  standupBy: (name: string) => `Standup by ${name}`,
  now: 'now',
  age: {
    minutes: (amount: number) => `${amount} min`,
    hours: (amount: number) => `${amount} h`,
    days: (amount: number) => `${amount} d`,
  },
  timeOn: (day: string, time: string) => `${day}, ${time}`,
  timeIn: (time: string, place: string) => `${time} in ${place}`,
  ago: (age: string) => `${age} ago`,
  ahead: (age: string) => `in ${age}`,
  from: (day: string) => `from ${day}`,
  checkForm: 'Please check what you entered',
  unexpected: {
    title: 'Something went wrong',
    detail: 'The page met an error that it did not expect.',
  },
  cure: {
    noAnswer: 'Check the network. You can try again: nothing that you typed is lost.',
    signedOut: 'Sign in again; what you typed is kept.',
    forbidden: 'An owner can do this, or change your role.',
    notFound: 'Somebody may have deleted it. Reload the page.',
    changed: 'Somebody changed it meanwhile. Look at the newest, then try again.',
    invalid: 'Correct it, then try again.',
    tooMany: 'Too many requests at once. Wait a moment.',
    workspaceFull:
      'An owner or admin makes room on the page Workspace: keep standups for a shorter time, or delete old ones. Or ask your operator for more space.',
    unavailable: 'The service is busy or restarting. Try again in a moment.',
    broken: 'Try again. If it happens again, give whoever runs the service the request id.',
  },
};
