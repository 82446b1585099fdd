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
    visibility: {
      leads: 'Only leads of your teams and admins can see the reason:',
      team: 'Your team can see the reason, in its channel too:',
    },
    standupOf: (day: string) => `the standup of ${day}`,
    standupIn: (day: string, team: string) => `${day} in ${team}`,
    span: (from: string, until: string) => `${from} until ${until}`,
    open: (from: string) => `${from} until you are back (say so with /standup back)`,
    back: 'Welcome back! You’re in the standup again from today.',
    backIn: (days: string) => `Welcome back! You’re in the standup of ${days} again.`,
    backNext:
      'Welcome back! Today’s standup has closed and still shows you as away. You’re in again from the next one.',
    notAway: 'You’re not away today.',
    undone: 'Undone. You’re in the standup again.',
    notSaved: (reason: string) => `Not saved. ${reason}`,
    reason: (error: string) => `The reason ${error}.`,
    errors: {
      date: 'Which days? Try /standup ooo until Friday, or ooo 24 Dec to 2 Jan.',
      part: 'I only know whole days. To be away all day, press the button.',
      order: 'The last day is before the first, or in the past. Try ooo 24 Dec to 2 Jan.',
    },
  },
  teams: {
    noTeam:
      'There’s no standup in this channel, and you’re not in a team yet. Use /standup in your team’s channel to join it.',
  },
  refusal,
  tooFast: (seconds: number) => `Too many changes at once. Wait ${seconds} s, then try again.`,
  withReference: (sentence: string, reference: string) => `${sentence} (Reference: ${reference})`,
  /** Says who cannot post here, and why. */
  outsider: {
    guest: 'Guests can’t post standups. Ask a Slack admin to make you a full member.',
    stranger: 'You belong to another Slack workspace. Post with /standup there.',
    bot: 'Apps can’t post standups in Slack. Programs can use the API.',
  },
  /** Pages in a browser, while a person installs the bot. */
  install: {
    doneTitle: 'Standup is installed',
    done: (workspace: string) => `Standup is installed in ${workspace}. Open Slack to see your next step.`,
    open: 'Open Standup in Slack',
    openInBrowser: 'Open it in the browser',
    greeting: (name: string) => `Hi ${name}! Standup is ready.`,
    youOwn: 'You are its owner. You choose who else manages it.',
    again: 'Start again',
    notDone: 'Standup was not installed',
    cancelled: 'You cancelled, or you are not allowed to install apps.',
    stale:
      'Please start again. An installation works once, within 10 minutes, in the browser where you started it.',
    refused: (reference: string) =>
      `Slack did not accept the installation. Start again. If it keeps failing, contact your operator. (Reference: ${reference})`,
    tooMany: (seconds: string) =>
      `Too many installations from your network. Wait ${seconds} s, then start again.`,
    unavailable: (reference: string) =>
      `The service can’t reach its data right now. Start again in a minute. (Reference: ${reference})`,
    slackAway: (reference: string) =>
      `Slack is not responding. Start again in a minute. (Reference: ${reference})`,
    failed: (reference: string) =>
      `Something went wrong on our side. Start again. If it keeps failing, contact your operator. (Reference: ${reference})`,
  },
  webhook: {
    failing: (name: string, since: string, until: string) =>
      `The webhook ${name} has failed since ${since}. If no attempt succeeds, it will be disabled ${until}. See what its receiver answered:`,
    disabled: (name: string, at: string, forFailing: boolean) =>
      `The webhook ${name} was disabled ${at}: ${forFailing ? 'no attempt succeeded for five days.' : 'its receiver answered that it wants no more events.'} When its receiver works, enable it and resend the missed events:`,
  },
  /** The end of a text that was too long for one message. */
  cutNote: '… (too long to show in full here)',
  trouble,
  shown,
  week,
  posting: {
    goesOn: (part: number, of: number) => `… (continued below, part ${part} of ${of})`,
    goesOnInThread: (part: number, of: number) => `… (continued in the thread, part ${part} of ${of})`,
    postedBy: (name: string | null) => `posted by ${name ?? 'a former member'}`,
    editedBy: (name: string | null) => `edited by ${name ?? 'a former member'}`,
    part: (part: number, of: number) => `(part ${part} of ${of})`,
    day: (day: string, count: number, of: number) =>
      of === 0 ? `Standup · ${day}` : `Standup · ${day} · ${count} of ${of} posted`,
    closes: (heading: string, at: string) => `${heading} · closes ${at}`,
    closed: (heading: string) => `${heading} · closed`,
    postedNames: (names: string) => `Posted: ${names}`,
    andMore: (names: string, more: number) => `${names} and ${more} more`,
  },
  digest: {
    title: (day: string, count: number, of: number) =>
      of === 0 ? `Report · ${day}` : `Report · ${day} · ${count} of ${of} posted`,
    participation: (percent: number) => `Participation ${percent} %`,
    blockers: (count: number) => plural(count, {one: '# blocker', other: '# blockers'}),
    blocker: (name: string, since: string, state: string) => `${name}, since ${since}, ${state}`,
    states: {raised: 'open', acknowledged: 'acknowledged', resolved: 'resolved'},
    in: (count: number) => `${count} posted`,
    late: (count: number) => `${count} late`,
    away: (count: number) => `${count} away`,
    holiday: (count: number) => `${count} on holiday`,
    skipped: (count: number) => `${count} skipped`,
    unreachable: (count: number) => `${count} not reachable in Slack`,
    missing: (count: number) => `${count} missing`,
    continued: (heading: string) => `${heading} (continued)`,
    off: (name: string, why: string | null, until: string | null) =>
      `${name}${why === null ? '' : `: ${why}`}${until === null ? '' : ` (until ${until})`}`,
    /** The link to a member's standup, by its number. */
    link: (number: number) => (number === 1 ? 'standup' : `standup ${number}`),
    more: (count: number) => `and ${count} more`,
    shortened: (cut: number, left: number) =>
      `Too long for Slack: ${plural(cut, {one: '# text is shortened', other: '# texts are shortened'})}, ${plural(left, {one: '# line is left out', other: '# lines are left out'})}. See the dashboard for everything.`,
  },
  blockers: {
    stillBlocked: 'Still blocked? Tick what is resolved',
    acknowledge: 'Acknowledge',
    resolve: 'Resolve',
    resolveThat: (text: string) => `Resolve: ${text}`,
    /** Under the standup that raised it; the blocker's text follows. `by`: who has acknowledged it. */
    status: (state: 'raised' | 'acknowledged' | 'resolved', by: string | null) =>
      `Blocker, ${state}${by === null ? '' : ` by ${by}`}`,
    more: (count: number) => `and ${plural(count, {one: '# more blocker', other: '# more blockers'})}`,
    heading: (shown: number, of: number) => (shown === of ? 'Blockers' : `Blockers: ${shown} of ${of}`),
    own: (team: string, since: string, state: string) => `You, ${team}, since ${since}, ${state}`,
    of: (name: string, team: string, since: string, state: string) =>
      `${name}, ${team}, since ${since}, ${state}`,
    acknowledged: 'You’re on it. The person who raised it can see that.',
    resolved: 'Blocker resolved.',
    isResolved: 'This blocker is already resolved.',
    isAcknowledged: 'Someone is already on this blocker.',
    gone: 'This blocker was deleted.',
    notChanged: (reason: string) => `Nothing was changed. ${reason}`,
  },
  ask,
  /** The one message of a day that reminds a member. */
  typing,
  prompts: {
    due: (teams: number, again: boolean) =>
      again
        ? plural(teams, {one: 'Your standup is still missing.', other: 'Your standups are still missing.'})
        : plural(teams, {one: 'Your standup is due soon.', other: 'Your standups are due soon.'}),
    snoozed: (until: string) => `OK. I’ll remind you again ${until}.`,
    over: (day: string) => `Standup of ${day}`,
    /** A team that the message lists for several days. */
    ofDay: (team: string, day: string) => `${team}, ${day}`,
    open: (team: string, closes: string) => `${team}: open until ${closes}`,
    closed: (team: string, closed: string) => `${team}: you missed this one. It closed ${closed}.`,
    posted: (team: string) => `${team}: posted`,
    skipped: (team: string) => `${team}: skipped`,
    away: (team: string) => `${team}: you’re away`,
    holiday: (team: string) => `${team}: it’s your holiday`,
    cancelled: (team: string) => `${team}: cancelled`,
    more: (left: number) => (left === 1 ? 'and one more team' : `and ${left} more teams`),
    look: 'View',
    post: 'Post',
    skip: 'Skip today',
    snooze: 'Remind me later',
    snoozeFor: (minutes: number) => (minutes === 60 ? 'In an hour' : `In ${minutes} minutes`),
    tooLate: (closes: string) => `It closes ${closes}, too soon for another reminder.`,
    nothingLeft: 'All done. Nothing left to do here.',
  },
  time: {
    /**
     * By the viewer's clock. Slack's names of days are in the language of their Slack, so it gets numbers.
     */
    instant: '{date_num} at {time}',
    /** For texts in which Slack cannot do that. */
    plainInstant: (day: string, time: string) => `${day}, ${time} UTC`,
    shortDay: (weekday: string, day: string, month: string) => `${weekday} ${day} ${month}`,
  },
  today: {
    in: (people: number, missing: number) => `${people} posted, ${missing} not yet`,
    manyIn: (people: number) => `${people} or more posted`,
    more: (left: number) => (left === 1 ? 'and one more' : `and ${left} more`),
    atLeastMore: (left: number) => `and at least ${left} more`,
    moreTeams: (left: number) => (left === 1 ? 'You’re in one more team.' : `You’re in ${left} more teams.`),
    post: 'Post',
    newUpdate: 'New update',
    edit: 'Edit',
  },
  form,
  home,
  leads,
  shortcuts: {
    cut: ' … (shortened, see the link for all of it)',
    cutWithoutLink: ' … (shortened)',
    noText: 'This message has no text to add to your standup.',
  },
  own: {
    title: 'Your settings',
    save: 'Save',
    cancel: 'Cancel',
    close: 'Close',
    loading: 'One moment …',
    saved: 'Saved.',
    retry: notOpened,
    unknown: 'You’re not in a team yet. Post with /standup in your team’s channel first.',
    reminders: 'Reminders',
    reminded: 'Remind me by direct message when I haven’t posted',
    remindersHint: 'You get no reminders on days off.',
    quietFrom: 'Quiet hours from',
    quietUntil: 'Quiet hours until',
    quietHint: 'Reminders in these hours arrive when they end, if the standup is still open.',
    bothTimes: 'Choose both times, or neither.',
    sameTimes: 'Choose an end that differs from the start.',
    zone: 'Time zone',
    zoneHint: 'From your Slack profile until you choose another. Type a city or an offset, such as +5:30.',
    country: 'Country, for public holidays',
    countryHint: 'Two letters, such as DE. Leave empty for none.',
    region: 'Region',
    regionHint: 'Its code, such as BY. Leave empty for national holidays only.',
    calendar: 'Company holiday calendar',
    noCalendar: 'None',
    teams: 'Team leads can change each team’s settings on the Home tab.',
  },
  setup,
  text,
} as const;
