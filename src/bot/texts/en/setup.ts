import {notOpened} from './not-opened.js';

/** The setup and the settings of a team. */
export const setup = {
  title: 'Set up a standup',
  here: 'Set up a standup here',
  anywhere: 'Set up a standup',
  offerHere: 'There’s no standup in this channel yet. Set one up for your team?',
  offerAnywhere:
    'You’re not in a team yet. Use `/standup` in your team’s channel to join it, or set up a new team.',
  save: 'Set up',
  cancel: 'Cancel',
  close: 'Close',
  name: 'Team name',
  members: 'Members',
  add: 'Add people',
  remove: 'Remove people',
  membersHint: (max: number) => `At most ${max} at once. You will be the lead.`,
  zone: 'Time zone',
  zoneHint: 'Sets when the team’s day starts and ends. Type a city or an offset, such as +5:30.',
  channel: 'Channel',
  shown: 'Where updates appear',
  modes: {
    thread: 'In a thread under one daily message',
    channel: 'As separate messages in the channel',
    digest: 'Only names of who posted',
  },
  days: 'Days',
  daysHint: 'No days: no schedule. People post any time, without reminders.',
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
    '1': 'First of the month',
    '2': 'Second of the month',
    '3': 'Third of the month',
    '4': 'Fourth of the month',
    '-1': 'Last of the month',
  },
  opens: 'Opens',
  closes: 'Closes',
  closesHint: 'If not later than the opening time, it closes the next day.',
  reminders: 'Reminders',
  remindersHint:
    'A direct message to people who have not posted. People who are away, on holiday or have reminders off get none.',
  before: (minutes: number) =>
    minutes % 60 === 0
      ? `${minutes / 60} ${minutes === 60 ? 'hour' : 'hours'} before closing`
      : `${minutes} minutes before closing`,
  clock: 'Whose time zone',
  clocks: {team: "The team's time zone", member: "Each person's own time zone"},
  digest: 'Report after closing',
  digests: {thread: 'In the daily thread', channel: 'As a separate message', off: 'Off'},
  late: 'After closing',
  lateAlways: 'Accept late updates',
  lateNever: 'Don’t accept late updates',
  lateUntil: (minutes: number) => {
    const [count, unit] =
      minutes % 1_440 === 0
        ? [minutes / 1_440, 'day']
        : minutes % 60 === 0
          ? [minutes / 60, 'hour']
          : [minutes, 'minute'];
    return `Accept late updates for ${count} ${unit}${count === 1 ? '' : 's'}`;
  },
  more: 'Also',
  named: 'Name people who have not posted in reports',
  reasons: 'Show reasons for absences in reports',
  paused: 'Pause: no standups open and no reminders are sent',
  questions: 'Questions, one per line',
  questionsHint:
    'Empty: yesterday, today, blockers. Add the type in brackets: [mood] [yes/no] [number 1..5] [Office | Home] [+ several | of | these] [blocker] [from 2] (prefilled with the last answer to question 2). End with * if required.',
  loading: 'One moment …',
  settingUp: (team: string) => `Setting up ${team} …`,
  retry: notOpened,
  errors: {
    name: (error: string) => `The name ${error}.`,
    zone: 'Choose a time zone from the list.',
    channel: 'Choose a public or private channel.',
    noTime: 'Choose a time, or remove all days.',
    sameTime: 'Choose a closing time that differs from the opening time.',
    oneDay: 'Choose one day. It repeats once a month.',
    early: (minutes: number) => `Choose at most ${minutes} minutes. It is not open longer than that.`,
    manyQuestions: (max: number) => `At most ${max} questions, one per line.`,
    questionLabel: (line: number, max: number) => `Question ${line} needs text, at most ${max} characters.`,
    questionOptions: (line: number, choices: number, length: number) =>
      `Question ${line}: use mood, yes/no, number, blocker, or 2 to ${choices} different choices separated by |, each at most ${length} characters.`,
    questionFrom: (line: number) =>
      `Question ${line} is prefilled from a question that does not exist or has no text answer. Check the number.`,
    questionBounds: (line: number) => `Question ${line}: the first number is larger than the second.`,
    channelTaken: (team: string) =>
      `This channel already belongs to the team “${team}”. Choose another one, or ask its lead to add people.`,
    tooMany: (count: number, max: number) => `You chose ${count} people. Choose at most ${max} at once.`,
    bots: (names: string) => `Not a person: ${names}. Remove them.`,
    guests: (names: string) => `Guests can’t be added: ${names}. Remove them.`,
    strangers: (names: string) => `People from other workspaces can’t be added: ${names}. Remove them.`,
    gone: (names: string) => `No longer here: ${names}. Remove them.`,
  },
  notSaved: (sentence: string) => `Not saved. ${sentence}`,
  taken: (team: string) => `This channel already belongs to the team “${team}”.`,
  takenMissing: 'You can change it. These people are not in it yet:',
  takenComplete: 'Everyone you chose is already in it.',
  addThem: 'Add them',
  tryAgain: 'Try again',
  adding: 'Adding people …',
  done: (team: string) => `🎉 ${team} is ready in `,
  changed: (team: string) => `${team} is saved in `,
  doneAnywhere: (team: string) => `${team} is saved.`,
  people: (count: number) => (count === 1 ? '1 person is in the team.' : `${count} people are in the team.`),
  howTo: 'Post any time with `/standup` and your update, or type `/standup` alone for a form.',
  invite: 'The channel is private, or I can’t join it. If I’m not in it yet, type there:',
  inviteCommand: (bot: string) => `/invite @${bot}`,
  archived: 'I can’t post in this channel: it’s archived. Choose another one in Settings.',
  notJoined: 'I couldn’t join the channel. If standups don’t appear, type there:',
  failed: 'Not added because Slack or the service was too slow:',
  refused: 'Not added because they are bots, guests, from another workspace or no longer here:',
  notRemoved: 'Not removed:',
  unfinished: 'This took too long and is not finished. Changes so far are saved.',
  settings: 'Settings',
  saveChanges: 'Save',
  saving: 'Saving …',
  elsewhere: (names: string) => `Also in the team, not in Slack: ${names}`,
  notInTeam: (team: string) => `Only a lead of the team “${team}”, an owner or an admin can change it.`,
  conflict: (name: string, zone: string) =>
    `Not saved yet. Someone else changed this team: it is now called “${name}”, in the zone ${zone}. Your changes are below; save again to keep yours.`,
  postText: 'Post your text',
  notPosted: (sentence: string) => `Not posted. ${sentence} Your text:`,
  posted: (where: string) => `✅ Posted in ${where}.`,
};
