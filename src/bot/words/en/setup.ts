import {notOpened} from './not-opened.js';

/** The setup and the settings of a team. */
export const setup = {
  title: 'Set up a standup',
  here: 'Set up a standup here',
  anywhere: 'Set up a standup',
  offerHere: 'This channel belongs to no team, and you are in none yet. You can set one up here.',
  offerAnywhere:
    'You are in no team yet. Use `/standup` in the channel of your team, which makes you part of it. Or set up a team of your own.',
  save: 'Set up',
  cancel: 'Cancel',
  close: 'Close',
  name: 'Name of the team',
  members: 'Members',
  add: 'Add people',
  remove: 'Take people out',
  membersHint: (max: number) => `At most ${max} at once. You lead the team.`,
  zone: 'Time zone',
  zoneHint: 'A day of the team begins and ends by this clock. Type a city or an offset, such as +5:30.',
  channel: 'Channel',
  shown: 'How standups are shown',
  modes: {
    thread: 'One message a day, each standup in its thread',
    channel: 'Each standup as a message of the channel',
    digest: 'One message a day, with who has posted',
  },
  days: 'Days',
  daysHint: 'None: no schedule. People post when they like, and nobody is reminded.',
  weekdays: {
    mon: 'Monday',
    tue: 'Tuesday',
    wed: 'Wednesday',
    thu: 'Thursday',
    fri: 'Friday',
    sat: 'Saturday',
    sun: 'Sunday',
  },
  repeat: 'How often',
  weekly: (weeks: number) => (weeks === 1 ? 'Every week' : `Every ${weeks} weeks`),
  monthly: {
    '1': 'The first such day of each month',
    '2': 'The second such day of each month',
    '3': 'The third such day of each month',
    '4': 'The fourth such day of each month',
    '-1': 'The last such day of each month',
  },
  opens: 'Opens',
  closes: 'Closes',
  closesHint: 'An earlier time than the opening is on the next day.',
  reminders: 'Reminders',
  remindersHint:
    'A direct message to those who have not posted. Nobody gets one who is away, has a holiday or has turned reminders off.',
  before: (minutes: number) =>
    minutes % 60 === 0
      ? `${minutes / 60} ${minutes === 60 ? 'hour' : 'hours'} before closing`
      : `${minutes} minutes before closing`,
  clock: 'By which clock',
  clocks: {team: "The team's time zone", member: "Each person's own time zone"},
  digest: 'Summary at closing',
  digests: {thread: 'In the thread of the day', channel: 'As a message of the channel', off: 'None'},
  late: 'After closing, standups are',
  lateAlways: 'Taken, and marked late',
  lateNever: 'Not taken',
  lateUntil: (minutes: number) => {
    const [count, unit] =
      minutes % 1_440 === 0
        ? [minutes / 1_440, 'day']
        : minutes % 60 === 0
          ? [minutes / 60, 'hour']
          : [minutes, 'minute'];
    return `Taken for ${count} ${unit}${count === 1 ? '' : 's'}, and marked late`;
  },
  more: 'Also',
  named: 'The summary names who has not posted',
  reasons: 'Reports say why people are away',
  paused: 'Paused: no standups are opened and nobody is reminded',
  questions: 'Questions, one a line',
  questionsHint:
    'Empty: yesterday, today, blockers. In brackets what is answered: [mood] [yes/no] [number 1..5] [Office | Home] [+ several | of | these] [blocker] [from 2] (begins with the last answer to question 2). A * at the end: required.',
  loading: 'One moment …',
  settingUp: (team: string) => `Setting up ${team} …`,
  retry: notOpened,
  faults: {
    name: (fault: string) => `The name ${fault}.`,
    zone: 'Choose a time zone from the list.',
    channel: 'Choose a public or private channel.',
    noTime: 'Choose a time, or choose no days.',
    sameTime: 'Choose another time than the one at which it opens.',
    oneDay: 'Choose one day: it repeats once a month.',
    early: (minutes: number) =>
      `Choose at most ${minutes} minutes: it is not open for longer before it closes.`,
    manyQuestions: (max: number) => `At most ${max} questions, one a line.`,
    questionLabel: (line: number, max: number) => `Question ${line} needs words, at most ${max} characters.`,
    questionOptions: (line: number, choices: number, length: number) =>
      `Question ${line}: in brackets stands mood, yes/no, number, blocker, or 2 to ${choices} different answers with | between them, each of at most ${length} characters.`,
    questionFrom: (line: number) =>
      `Question ${line} begins with the answer to a question that is not there, or has no text. Count the lines.`,
    questionBounds: (line: number) => `Question ${line}: the first number is above the second.`,
    channelTaken: (team: string) =>
      `This channel belongs to the team “${team}” already. Choose another one, or ask a lead of that team to add people.`,
    tooMany: (count: number, max: number) => `You chose ${count} people; at most ${max} fit at once.`,
    bots: (names: string) => `Not a person: ${names}. Take them out.`,
    guests: (names: string) => `Guests cannot be added: ${names}. Take them out.`,
    strangers: (names: string) => `People of other workspaces cannot be added: ${names}. Take them out.`,
    gone: (names: string) => `No longer here: ${names}. Take them out.`,
  },
  notSaved: (sentence: string) => `Not saved. ${sentence}`,
  taken: (team: string) => `This channel belongs to the team “${team}” already.`,
  takenMissing: 'You may change it. These people you chose are not in it yet:',
  takenComplete: 'Everybody you chose is in it.',
  addThem: 'Add them',
  tryAgain: 'Try again',
  adding: 'Adding people …',
  done: (team: string) => `${team} is set up, for `,
  changed: (team: string) => `${team} is saved, for `,
  doneAnywhere: (team: string) => `${team} is saved.`,
  people: (count: number) => (count === 1 ? '1 person is in it.' : `${count} people are in it.`),
  howTo: 'Post with `/standup` and your update, or with `/standup` alone for a form.',
  invite: 'The channel is private, or closed to me. If I am not in it yet, type there:',
  inviteCommand: (bot: string) => `/invite @${bot}`,
  archived: 'The channel is archived, so nothing can be posted there. Choose another one under Settings.',
  notJoined: 'I could not join the channel just now. If standups do not appear there, type there:',
  failed: 'Not added, since Slack or the service did not answer in time:',
  refused: 'Not added, since they are bots, guests, of another workspace or no longer here:',
  notRemoved: 'Not taken out:',
  unfinished: 'This took too long and is not finished. What was done is kept.',
  settings: 'Settings',
  saveChanges: 'Save',
  saving: 'Saving …',
  elsewhere: (names: string) => `Also in the team, without Slack: ${names}`,
  notInTeam: (team: string) =>
    `Only a lead of the team “${team}”, or an owner or admin of the workspace, may change it.`,
  conflict: (name: string, zone: string) =>
    `Not saved yet: somebody has changed this team since you opened its settings. It is called “${name}” now, in the zone ${zone}. What you entered is below; save again to have it so.`,
  postText: 'Post your text',
  notPosted: (sentence: string) => `Not posted. ${sentence} Your text:`,
  posted: (where: string) => `✅ Posted in ${where}.`,
};
