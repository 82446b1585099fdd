import {createPlural} from '../plural.js';

const plural = createPlural('en');

const people = (count: number): string => plural(count, {one: '# person', other: '# people'});

const ordinals = {1: 'first', 2: 'second', 3: 'third', 4: 'fourth', [-1]: 'last'} as const;

/** Sentences for leads: what they see of their people, and do for them. */
export const leads = {
  missing: 'Who is missing',
  missingIn: (team: string) => `Who is missing in ${team}`,
  postMine: 'Post or edit mine',
  menu: 'More',
  heading: (team: string, day: string, posted: number, of: number) =>
    `${team} · ${day} · ${posted} of ${of} posted`,
  closes: (heading: string, at: string) => `${heading} · closes ${at}`,
  everybody: 'Everyone has posted. 🎉',
  noneExpected: 'No one is expected.',
  /** A line of names for each reason. */
  why: {
    expected: (names: string) => `Not posted yet: ${names}`,
    reminders_off: (names: string) => `Not posted yet (reminders off): ${names}`,
    no_slack: (names: string) => `Not posted yet (not in Slack): ${names}`,
    unreachable: (names: string) => `Not reachable in Slack: ${names}`,
    missed: (names: string) => `Missed: ${names}`,
    skipped: (names: string) => `Skipping today: ${names}`,
    away: (names: string) => `Away: ${names}`,
    holiday: (names: string) => `On holiday: ${names}`,
  },
  people,
  awayUntil: (name: string, day: string) => `${name} (until ${day})`,
  more: (names: string, count: number) => (names === '' ? people(count) : `${names} and ${count} more`),
  visibility: 'Team leads, owners and admins can see the names.',
  moreTeams: (count: number) => `And ${plural(count, {one: '# more team', other: '# more teams'})} of yours.`,
  onlyYou: 'Only you can see this.',
  noTeam: 'You’re not in a team yet, so no one is missing.',
  noRun: 'No standup is open, so there is no one to remind.',
  remind: 'Remind them',
  remindFor: (team: string) => `Remind people missing in ${team}`,
  remindAsk: 'Remind them now? Each gets one direct message.',
  notYours: (team: string) => `Only a lead of ${team}, an owner or an admin can send reminders.`,
  leadNone: 'Only team leads, owners and admins can send reminders.',
  nothingOpen: (team: string) => `No standup of ${team} is open, so no one was reminded.`,
  tooSoon: (team: string, minutes: number) =>
    `People missing in ${team} were reminded less than five minutes ago. Try again in ${plural(minutes, {one: '# minute', other: '# minutes'})}.`,
  reminders: (team: string) => `Reminders for ${team}`,
  reminded: (names: string) => `Reminded: ${names}`,
  noneReminded: (team: string) => `No one in ${team} was reminded.`,
  /** The reason for which the others were not reminded. */
  notReminded: {
    expected: (names: string) => `Not reminded (quiet hours until it closes): ${names}`,
    reminders_off: (names: string) => `Not reminded (reminders off): ${names}`,
    no_slack: (names: string) => `Not reminded (not in Slack): ${names}`,
    unreachable: (names: string) => `Slack could not reach them before: ${names}`,
    missed: (names: string) => `Not reminded (closed for them): ${names}`,
    skipped: (names: string) => `Not reminded (skipping today): ${names}`,
    away: (names: string) => `Not reminded (away): ${names}`,
    holiday: (names: string) => `Not reminded (on holiday): ${names}`,
  },
  posted: (count: number) => `Posted: ${people(count)}`,
  leads: 'Leads',
  leadsHint: 'Leads can change the team, see who is missing and send reminders. New leads get a message.',
  membersHint: (max: number) => `At most ${max} at once. Everyone you add gets a message.`,
  notLed: 'Leads not changed:',
  errors: {
    noLead: 'Choose at least one lead. Without one, only owners and admins can change the team.',
    notIn: 'Leads must be in the team. Add them to the team too.',
  },
  leftAsLead: (team: string) =>
    `You left ${team}. It has no lead now. An owner or admin can choose one in the team’s settings on the Home tab.`,
  ungoverned:
    'No one in Slack is an owner or admin here yet, so no one can help when a lead is missing. You are a Slack admin. Your operator can make Slack admins admins here with the setting SLACK_ADMINS_ARE_ADMINS=true.',
  added: (team: string, by: string | undefined) => `Hi! ${by ?? 'Someone'} added you to ${team}.`,
  madeLead: (team: string, by: string | undefined) =>
    by === undefined ? `You’re now a lead of ${team}.` : `${by} made you a lead of ${team}.`,
  observes: 'You’re an observer: you see its standups and are never asked to post.',
  youLead: 'As a lead you can change the team, see who is missing and remind them.',
  itsChannel: (channel: string) => `Its channel is ${channel}.`,
  asked: {
    opening: 'I’ll ask you here when a standup opens.',
    before_closing: 'I’ll remind you here before it closes if you haven’t posted.',
    both: 'I’ll ask you here when a standup opens, and remind you before it closes if you haven’t posted.',
  },
  notAsked: 'You turned reminders off, so I won’t ask you.',
  begun: (team: string, by: string | undefined) =>
    by === undefined ? `${team} standups are set up here.` : `${by} set up ${team} standups here.`,
  howToPost: 'Post any time with /standup and your update, or type /standup alone for a form.',
  noTimes: 'There’s no schedule. Post any time.',
  ownClock: 'each person’s local time',
  clockOf: (zone: string) => (zone === 'UTC' ? 'UTC' : `${zone} time`),
  daysFrom: (first: string, last: string) => `${first} to ${last}`,
  weeklyTimes: (
    days: string,
    weeks: number,
    {opens, closes, by}: {readonly opens: string; readonly closes: string; readonly by: string},
  ) =>
    `Standups are open ${weeks === 1 ? '' : `every ${weeks} weeks, `}${days}, from ${opens} to ${closes} (${by}).`,
  monthly: (
    nth: 1 | 2 | 3 | 4 | -1,
    day: string,
    {opens, closes, by}: {readonly opens: string; readonly closes: string; readonly by: string},
  ) => `Standups are open on the ${ordinals[nth]} ${day} of each month, from ${opens} to ${closes} (${by}).`,
  moreFields: 'More: days, reminders, questions …',
  notification: 'The channel and everyone you add get one message about it.',
  promptAt: 'When to ask people for their standup',
  promptTimes: {
    opening: 'When it opens',
    before_closing: 'Before it closes, at the reminders',
    both: 'When it opens, and again before it closes',
  },
  mentions: 'Mentions in standups notify',
  mentionsOf: {none: 'No one', team: 'Team members', workspace: 'Everyone in the workspace'},
  weekly: 'Weekly summary in the channel',
} as const;
