import {command} from './en/command.js';
import {refusal} from './en/refusal.js';
import {trouble} from './en/trouble.js';
import {form} from './en/form.js';
import {home} from './en/home.js';
import {setup} from './en/setup.js';
import {notOpened} from './en/not-opened.js';
import {gone} from './en/gone.js';
import {leads} from './en/leads.js';
import {text} from './en/text.js';
import {typed} from './en/typed.js';
import {typing} from './en/typing.js';
import {ask} from './en/ask.js';
import {createPlural} from './plural.js';
import {shown} from './en/shown.js';
import {web} from './en/web.js';
import {week} from './en/week.js';

const plural = createPlural('en');

/**
 * Every sentence of the bot, in English: the catalogue that other languages must match. One section for each
 * part of the bot; texts with a gap are functions. No text here is escaped: presenters do that.
 */
export const en = {
  typed,
  gone,
  web,
  command,
  /** Says who reads a text, before it is posted. */
  reach: {
    channels: (channels: string) => `Goes to ${channels}, and to your workspace’s dashboard.`,
    channelsAndTicked: (channels: string) =>
      `Goes to ${channels}, to the channels of the teams you tick, and to your workspace’s dashboard.`,
    dashboard: 'Goes to your workspace’s dashboard. The team has no channel.',
    ticked: 'Goes to the channels of the teams you tick, and to your workspace’s dashboard.',
    chosen: 'Goes to the channel of the team you choose, and to your workspace’s dashboard.',
    fromPrivate: 'The message you are adding is from a private conversation. Posting makes it public there.',
  },
  /** Says who is away, and takes no part. */
  away: {
    entered: (days: string) => `You’re away ${days}. I won’t remind you, and you won’t show as missing.`,
    skipped: (days: string) => `Skipping ${days}. I won’t remind you, and you won’t show as missing.`,
    /** Says who reads the reason below. */
    whoSees: {
      leads: 'Only leads of your teams and admins can see the reason:',
      team: 'Your team can see the reason, in its channel too:',
    },
    standupOf: (day: string) => `the standup of ${day}`,
    standupIn: (day: string, team: string) => `${day} in ${team}`,
    span: (from: string, until: string) => `${from} until ${until}`,
    open: (from: string) => `${from} until you are back (say so with /standup back)`,
    back: 'Welcome back: from today on you take part again.',
    backIn: (days: string) => `Welcome back: you take part in the standup of ${days} again.`,
    backNext:
      'Welcome back! Today’s standup has closed, so it still shows you as away. You take part again from the next one.',
    notAway: 'You are not away today.',
    undone: 'Undone: you take part as before.',
    notSaved: (reason: string) => `Nothing was saved. ${reason}`,
    reason: (fault: string) => `The reason ${fault}.`,
    faults: {
      date: 'Which days? Try /standup ooo until Friday, or ooo 24 Dec to 2 Jan.',
      part: 'I only know whole days. To be away all day anyway, press the button.',
      order:
        'The last day is before the first one, or over already. Type /standup ooo and the first and the last day, such as ooo 24 Dec to 2 Jan.',
    },
  },
  place: {
    noTeam:
      'This channel belongs to no team, and you are in none yet. Use /standup in the channel of your team: that makes you part of it.',
  },
  refusal,
  tooFast: (seconds: number) =>
    `You have made too many changes within a minute. Wait ${seconds} s, then try again.`,
  withReference: (sentence: string, reference: string) => `${sentence} (Reference: ${reference})`,
  /** Says who cannot post here, and why. */
  outsider: {
    guest:
      'Only people of this workspace can post standups, and you are a guest here. Ask an admin of the workspace to make you a full member.',
    stranger:
      'Only people of this workspace can post standups, and you belong to another one. Post with /standup in your own workspace.',
    bot: 'Only people of this workspace can post standups, not apps. A program posts by the API.',
  },
  /** Pages in a browser, while a person installs the bot. */
  install: {
    doneTitle: 'Standup is installed',
    done: (place: string) =>
      `Standup is installed in ${place}. Open Slack: a message with the next step is there.`,
    open: 'Open Standup in Slack',
    openInBrowser: 'Open it in the browser',
    greeting: (name: string) => `Hi ${name}! Standup is ready.`,
    youOwn: 'You are its owner: you decide who else runs it.',
    again: 'Begin again',
    notDone: 'Standup was not installed',
    cancelled: 'You have cancelled the installation, or may not install apps. Nothing was changed.',
    stale:
      'An installation has to be finished in the browser it was begun in, once, within 10 minutes. This one was not, so begin again.',
    refused: (reference: string) =>
      `Slack did not accept the installation. Begin again; if that does not help, tell the people who run the service. (Reference: ${reference})`,
    tooMany: (seconds: string) =>
      `Too many installations were begun from your network within a minute. Wait ${seconds} s, then begin again.`,
    unavailable: (reference: string) =>
      `The service cannot reach its store at the moment. Begin again in a minute. (Reference: ${reference})`,
    slackAway: (reference: string) =>
      `Slack does not say who you are at the moment. Begin again in a minute. (Reference: ${reference})`,
    failed: (reference: string) =>
      `Something went wrong on our side. Begin again; if that does not help, tell the people who run the service. (Reference: ${reference})`,
  },
  webhook: {
    failing: (name: string, since: string, until: string) =>
      `The webhook ${name} has not delivered anything since ${since}. Unless an attempt succeeds it is disabled ${until}. See what its receiver answered:`,
    disabled: (name: string, at: string, forFailing: boolean) =>
      `The webhook ${name} was disabled ${at}: ${forFailing ? 'no attempt had succeeded for five days.' : 'its receiver answered that it wants nothing more.'} Once its receiver works, enable it, and send again what has happened since:`,
  },
  /** The end of a text that was too long for one message. */
  cutNote: '… (too long to be shown whole here)',
  trouble,
  shown,
  week,
  posting: {
    goesOn: (part: number, of: number) =>
      `… (too long for one message: goes on below, part ${part} of ${of})`,
    goesOnInThread: (part: number, of: number) =>
      `… (too long for one message: goes on in the thread, part ${part} of ${of})`,
    postedBy: (name: string | null) => `posted by ${name ?? 'somebody who has left'}`,
    editedBy: (name: string | null) => `edited by ${name ?? 'somebody who has left'}`,
    part: (part: number, of: number) => `(part ${part} of ${of})`,
    day: (day: string, count: number, of: number) =>
      of === 0 ? `Standup · ${day}` : `Standup · ${day} · ${count} of ${of} in`,
    closes: (heading: string, at: string) => `${heading} · closes ${at}`,
    closed: (heading: string) => `${heading} · closed`,
    whoIsIn: (names: string) => `In: ${names}`,
    andMore: (names: string, more: number) => `${names} and ${more} more`,
  },
  digest: {
    title: (day: string, count: number, of: number) =>
      of === 0 ? `Report · ${day}` : `Report · ${day} · ${count} of ${of} posted`,
    participation: (percent: number) => `Participation ${percent} %`,
    blockers: (count: number) => plural(count, {one: '# blocker', other: '# blockers'}),
    blocker: (who: string, since: string, state: string) => `${who}, since ${since}, ${state}`,
    states: {raised: 'open', acknowledged: 'acknowledged', resolved: 'resolved'},
    in: (count: number) => `${count} in`,
    late: (count: number) => `${count} late`,
    away: (count: number) => `${count} away`,
    holiday: (count: number) => `${count} on holiday`,
    skipped: (count: number) => `${count} skipped`,
    unreachable: (count: number) => `${count} could not be reached in Slack`,
    missing: (count: number) => `${count} not posted`,
    continued: (heading: string) => `${heading} (continued)`,
    off: (who: string, why: string | null, until: string | null) =>
      `${who}${why === null ? '' : `: ${why}`}${until === null ? '' : ` (until ${until})`}`,
    /** The link to a member's standup, by its number. */
    link: (number: number) => (number === 1 ? 'standup' : `standup ${number}`),
    more: (count: number) => `and ${count} more`,
    shortened: (cut: number, left: number) =>
      `Too long for Slack: ${plural(cut, {one: '# text is cut', other: '# texts are cut'})}, ${plural(left, {one: '# line is left out', other: '# lines are left out'})}. The dashboard has all of it.`,
  },
  blockers: {
    stillBlocked: 'Still blocked? Tick what is resolved',
    acknowledge: 'Acknowledge',
    resolve: 'Resolve',
    resolveThat: (text: string) => `Resolve: ${text}`,
    /** Under the standup that raised it; the blocker's text follows. `by`: who has acknowledged it. */
    told: (state: 'raised' | 'acknowledged' | 'resolved', by: string | null) =>
      `Blocker, ${state}${by === null ? '' : ` by ${by}`}`,
    more: (count: number) => `and ${plural(count, {one: '# more blocker', other: '# more blockers'})}`,
    heading: (shown: number, of: number) => (shown === of ? 'Blockers' : `Blockers: ${shown} of ${of}`),
    own: (team: string, since: string, state: string) => `You, ${team}, since ${since}, ${state}`,
    of: (who: string, team: string, since: string, state: string) =>
      `${who}, ${team}, since ${since}, ${state}`,
    acknowledged: 'You look after this blocker now. Whoever raised it sees that somebody does.',
    resolved: 'This blocker is resolved.',
    isResolved: 'This blocker was resolved already.',
    isAcknowledged: 'Somebody has acknowledged this blocker already.',
    gone: 'This blocker is gone.',
    notChanged: (reason: string) => `Nothing was changed. ${reason}`,
  },
  ask,
  /** The one message of a day that reminds a member. */
  typing,
  prompts: {
    due: (teams: number, again: boolean) =>
      again
        ? plural(teams, {one: 'Your standup is still missing.', other: 'Your standups are still missing.'})
        : plural(teams, {one: 'Your standup is due.', other: 'Your standups are due.'}),
    snoozed: (until: string) => `You will be reminded again ${until}.`,
    over: (day: string) => `Standup of ${day}`,
    /** A team that the message lists for several days. */
    ofDay: (team: string, day: string) => `${team}, ${day}`,
    open: (team: string, closes: string) => `${team}: closes ${closes}`,
    closed: (team: string, closed: string) => `${team}: closed ${closed}, without yours`,
    posted: (team: string) => `${team}: posted`,
    skipped: (team: string) => `${team}: skipped`,
    away: (team: string) => `${team}: you are away`,
    holiday: (team: string) => `${team}: a holiday of yours`,
    cancelled: (team: string) => `${team}: called off`,
    more: (left: number) => (left === 1 ? 'and one more team' : `and ${left} more teams`),
    look: 'Look',
    post: 'Post',
    skip: 'Skip today',
    snooze: 'Remind me later',
    snoozeFor: (minutes: number) => (minutes === 60 ? 'In an hour' : `In ${minutes} minutes`),
    tooLate: (closes: string) =>
      `It closes ${closes}: there is no time left to be reminded of it once more before that.`,
    nothingLeft: 'There is nothing left to do here.',
  },
  time: {
    /**
     * By the viewer's clock. Slack's names of days are in the language of their Slack, so it gets numbers.
     */
    instant: '{date_num} at {time}',
    /** For texts in which Slack cannot do that. */
    plainInstant: (day: string, time: string) => `${day}, ${time} UTC`,
  },
  today: {
    in: (people: number, missing: number) => `${people} in, ${missing} not yet`,
    manyIn: (people: number) => `${people} or more in`,
    more: (left: number) => (left === 1 ? 'and one more' : `and ${left} more`),
    atLeastMore: (left: number) => `and at least ${left} more`,
    moreTeams: (left: number) =>
      left === 1 ? 'You are in one more team.' : `You are in ${left} more teams.`,
    post: 'Post',
    newUpdate: 'New update',
    edit: 'Edit',
  },
  form,
  home,
  leads,
  shortcuts: {
    cut: ' … (cut: the link leads to all of it)',
    cutWithoutLink: ' … (cut)',
    noText: 'This message has no text that could be added to your standup.',
  },
  own: {
    title: 'Your settings',
    save: 'Save',
    cancel: 'Cancel',
    close: 'Close',
    loading: 'One moment …',
    saved: 'Saved.',
    retry: notOpened,
    unknown: 'You are in no team yet. Post with /standup in the channel of your team first.',
    reminders: 'Reminders',
    reminded: 'Remind me of standups that I have not posted, by direct message',
    remindersHint: 'On days off nobody is reminded.',
    quietFrom: 'Quiet hours from',
    quietUntil: 'Quiet hours until',
    quietHint: 'What falls into them comes at their end, if the standup is still open then.',
    bothTimes: 'Choose both times, or none.',
    sameTimes: 'Choose another time than the one at which they begin.',
    zone: 'Time zone',
    zoneHint:
      'As your Slack profile has it until you choose another. Type a city or an offset, such as +5:30.',
    country: 'Country, for public holidays',
    countryHint: 'Two letters, such as DE. Empty: none.',
    region: 'Region of the country',
    regionHint: 'As the calendar names it, such as BY. Empty: those of the whole country.',
    calendar: 'Calendar with further days off',
    noCalendar: 'None',
    teams: 'Each of your teams has settings of its own on the Home tab, for its leads.',
  },
  setup,
  text,
} as const;
