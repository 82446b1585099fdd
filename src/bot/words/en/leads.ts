import {createPlural} from '../plural.js';

const plural = createPlural('en');

const people = (count: number): string => plural(count, {one: '# person', other: '# people'});

const nthWords = {1: 'first', 2: 'second', 3: 'third', 4: 'fourth', [-1]: 'last'} as const;

/** Sentences for leads: what they see of their people, and do for them. */
export const leads = {
  missing: 'Who is missing',
  missingIn: (team: string) => `Who is missing in ${team}`,
  postMine: 'Post or edit mine',
  menu: 'More',
  heading: (team: string, day: string, posted: number, of: number) =>
    `${team} · ${day} · ${posted} of ${of} in`,
  closes: (heading: string, at: string) => `${heading} · closes ${at}`,
  everybody: 'Everybody has posted.',
  nobodyExpected: 'Nobody is expected.',
  /** A line of names for each reason. */
  why: {
    expected: (names: string) => `Not yet: ${names}`,
    reminders_off: (names: string) => `Not yet, and have turned reminders off: ${names}`,
    no_slack: (names: string) => `Not yet, and are not in Slack: ${names}`,
    unreachable: (names: string) => `Could not be reached by Slack: ${names}`,
    missed: (names: string) => `Have not posted: ${names}`,
    skipped: (names: string) => `Take no part today: ${names}`,
    away: (names: string) => `Away: ${names}`,
    holiday: (names: string) => `On holiday: ${names}`,
  },
  people,
  awayUntil: (name: string, day: string) => `${name} (until ${day})`,
  more: (names: string, count: number) => (names === '' ? people(count) : `${names} and ${count} more`),
  whoSees: 'Leads of the team, owners and admins see the names.',
  moreTeams: (count: number) => `And ${plural(count, {one: '# more team', other: '# more teams'})} of yours.`,
  onlyYou: 'Only you see this.',
  noTeam: 'You are in no team yet, so nobody is missing.',
  noRun: 'No standup is open, so nobody can be reminded.',
  remind: 'Remind them',
  remindFor: (team: string) => `Remind those who are missing in ${team}`,
  remindAsk: 'Remind them now? Each gets one direct message.',
  notYours: (team: string) =>
    `Only a lead of ${team}, or an owner or admin, may remind its people. Nobody was reminded.`,
  leadNone: 'You lead no team here. Leads, owners and admins may remind people.',
  nothingOpen: (team: string) => `No standup of ${team} is open now, so nobody was reminded.`,
  tooSoon: (team: string, minutes: number) =>
    `Those who are missing in ${team} were reminded less than five minutes ago. Try again in ${plural(minutes, {one: '# minute', other: '# minutes'})}.`,
  reminders: (team: string) => `Reminders for ${team}`,
  reminded: (names: string) => `Reminded: ${names}`,
  remindedNobody: (team: string) => `Nobody of ${team} was reminded.`,
  /** The reason for which the others were not reminded. */
  notReminded: {
    expected: (names: string) => `Not reminded, since their quiet hours last until it closes: ${names}`,
    reminders_off: (names: string) => `Not reminded, since they have turned reminders off: ${names}`,
    no_slack: (names: string) => `Not reminded, since they are not in Slack: ${names}`,
    unreachable: (names: string) => `Slack could not reach before: ${names}`,
    missed: (names: string) => `Not reminded, since it is closed for them: ${names}`,
    skipped: (names: string) => `Not reminded, since they take no part today: ${names}`,
    away: (names: string) => `Not reminded, since they are away: ${names}`,
    holiday: (names: string) => `Not reminded, since they are on holiday: ${names}`,
  },
  posted: (count: number) => `Have posted: ${people(count)}`,
  leads: 'Leads',
  leadsHint:
    'People of the team who may change it, see who is missing and remind them. Who is new here is told.',
  membersHint: (max: number) => `At most ${max} at once. Everybody you add is told.`,
  notLed: 'Not changed as leads:',
  faults: {
    nobody: 'Choose at least one lead: without one only owners and admins can change the team.',
    notIn: 'Only people of the team can lead it. Add them to the team too.',
  },
  leftAsLead: (team: string) =>
    `You have left ${team}, which has no lead now. An owner or admin of the workspace chooses one under Settings of the team, on the Home tab.`,
  ungoverned:
    'Nobody in Slack is an owner or admin here yet, so nobody can help where a lead is missing. You run this Slack workspace: the people who run the standup service can make its admins and owners admins here, with the setting SLACK_ADMINS_ARE_ADMINS=true.',
  added: (team: string, by: string | undefined) =>
    `You are in ${team} now: ${by === undefined ? 'somebody has added you' : `${by} has added you`}.`,
  madeLead: (team: string, by: string | undefined) =>
    by === undefined ? `You lead ${team} now.` : `You lead ${team} now: ${by} has appointed you.`,
  observes: 'You observe it: you see its standups, and are never asked for one.',
  youLead: 'As a lead you may change the team, see who is missing and remind them.',
  itsChannel: (channel: string) => `Its channel is ${channel}.`,
  asked: {
    opening: 'I ask you here when a standup opens.',
    before_closing: 'I remind you here before it closes, if you have not posted by then.',
    both: 'I ask you here when a standup opens, and again before it closes if you have not posted by then.',
  },
  notAsked: 'You have turned reminders off, so I do not ask you.',
  begun: (team: string, by: string | undefined) =>
    by === undefined
      ? `${team} has its standups here now.`
      : `${by} has set up the standups of ${team} here.`,
  howToPost: 'Post with /standup and your update, or with /standup alone for a form.',
  noTimes: 'It has no fixed times: post when you like.',
  ownClock: 'by each person’s own clock',
  clockOf: (place: string) => (place === 'UTC' ? 'UTC' : `${place} time`),
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
  ) => `Standups are open on the ${nthWords[nth]} ${day} of each month, from ${opens} to ${closes} (${by}).`,
  moreFields: 'More: days, reminders, questions …',
  told: 'The channel, and everybody you add, get one message about it.',
  promptAt: 'People are asked for their standup',
  promptTimes: {
    opening: 'When it opens',
    before_closing: 'Before it closes, at the reminders',
    both: 'When it opens, and again before it closes',
  },
  mentions: 'A mention in a standup notifies',
  mentionsOf: {none: 'Nobody', team: 'People of the team', workspace: 'Everybody of the workspace'},
  weekly: 'A summary of each week in the channel',
} as const;
