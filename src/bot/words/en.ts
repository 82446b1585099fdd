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

/** Slack says why to the log alone: the form was late, or the app is not let in any more. */
const notOpened =
  'Slack did not open the form. Please try again. If that does not help, ask the people who run Standup for you to check its connection to Slack.';

/** Tells of reports only where there are any; for nothing, that there are no standups. */
function countMessages(standups: number, reports: number): string {
  const counted = [
    ...(standups > 0 || reports === 0 ? [plural(standups, {one: '# standup', other: '# standups'})] : []),
    ...(reports > 0 ? [plural(reports, {one: '# report', other: '# reports'})] : []),
  ];
  return counted.join(' and ');
}

/**
 * Every sentence that the bot says, in English: the catalogue that other languages have to match. One
 * section for each part of the bot; texts with a gap are functions. No text here is escaped: what shows it
 * does that.
 */
export const en = {
  typed,
  gone,
  web,
  command: {
    unknown: (command: string, standup: string) =>
      `\`${command}\` is not known here. \`${standup} help\` shows what is.`,
    /** `where`: the channel, or the name of a team that has none. */
    posted: (where: string, day: string) => `✅ Posted in ${where}, ${day}.`,
    postedLate: (where: string, day: string) => `✅ Posted late in ${where}, ${day}.`,
    changed: (where: string, day: string) => `✅ Changed in ${where}, ${day}.`,
    postedForAll: (places: string) => `✅ Posted in ${places}.`,
    changedForAll: (places: string) => `✅ Changed in ${places}.`,
    teamOn: (team: string, day: string) => `${team} (${day})`,
    teamIn: (team: string, channel: string) => `${team} in ${channel}`,
    editFor: (team: string) => `Edit ${team}`,
    undoFor: (team: string) => `Undo ${team}`,
    deleteFor: (team: string) => `Delete ${team}`,
    edit: 'Edit',
    undo: 'Undo',
    delete: 'Delete',
    undone: 'Undone. Your text:',
    deleted: 'Deleted. Your text:',
    goneAlready: 'This standup is gone already. Your text:',
    gone: 'This standup is gone already.',
    notUndone: (reason: string) => `Not undone. ${reason}`,
    again: 'Post it again',
    notPosted: (reason: string) => `Not posted. ${reason} Your text:`,
    uncertain: (reference: string) =>
      `It is not certain that this is posted: the store did not answer in time. Look with /standup today before you post it again. (Reference: ${reference}) Your text:`,
    tooLong: (length: number, max: number) =>
      `Your update is ${length} characters long; at most ${max} fit into one standup.`,
    chooseInForm: 'Nothing is posted yet: choose the team in the form. Your text:',
    whichTeam: (teams: string) => `Not posted yet. Which team is this for: ${teams}?`,
    postThere: (where: string) => `Not posted yet. Post this to ${where}?`,
    postThisTo: (team: string) => `Post to ${team}`,
    didYouMean: (meant: string) => `Did you mean ${meant}? Nothing was posted.`,
    runIt: 'Run it',
    postAnyway: (typed: string) => `Post “${typed}” as my update`,
  },
  /** Says who reads what is typed, before it is posted. */
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
    /** Says who reads the reason that stands below. */
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
  /** Where the service's own sentence would not do in Slack. */
  refusal: {
    unknownWorkspace: 'The service does not know this Slack workspace.',
    changedMeanwhile: 'Somebody has changed this standup at the same time. Try again.',
    tooLong: 'The text is too long.',
    postedAlready: 'This has been posted already.',
    notTaken: 'The service does not take this as it is. Change it, or ask the people who run the service.',
    notAllowed: 'You may not do that. An owner of the workspace can, or can change your role.',
    outsideTeam: 'You are not in this team. Post in its channel, or ask a lead of it to add you.',
    observer:
      'You observe this team: you see it, and do not post for it. A lead of it can make you a member.',
    notAuthor: 'Only the person who posted this can do that.',
    changeStandup: 'Only its author, a team lead, an owner or an admin can change or delete this standup.',
    resolveBlocker:
      'Only the person who raised this blocker, the person looking after it, a team lead, an owner or an admin can resolve it.',
    acknowledgeBlocker: 'Only people in the team, an owner or an admin can look after this blocker.',
    enterAbsence: 'Only they themselves, a team lead, an owner or an admin can say when somebody is away.',
    leadOnly: 'Only a lead of the team, or an owner or admin of the workspace, may do that.',
    adminOnly: 'Only an owner or admin of the workspace may do that.',
    ownerOnly: 'Only an owner of the workspace may do that.',
    notAccepted:
      'A lead has put this person into the team, and they have not posted there yet. Until then nobody may act for them.',
    knownAddress:
      'Your e-mail address is that of an owner or admin here. An address alone does not make you that person: link yourself as the guide to Slack says, under “Many workspaces”.',
    unconfirmedName:
      'You are an owner now, and your Slack user was linked here by somebody who is no owner. Ask another owner to confirm it on the page People.',
    gone: 'This is not there any more.',
    teamGone: 'This team is not there any more.',
    runClosed:
      'The standup of that day is closed, and the team takes no late ones. Post for another day, or ask a lead.',
    dateNotAllowed: 'That day is too long ago, or too far ahead.',
    runExists: 'The team has a standup for today already.',
    noOpenRun: 'No standup of the team is open now.',
    teamPaused: 'The team is paused: a lead can let it go on, in its settings.',
    rateLimited: 'That was too often. Wait a minute, then try again.',
    limitReached: 'There are as many of these as there may be. Remove one first.',
    manyBlockers: 'The team has as many open blockers as it may have. Resolve some first.',
    manyAbsences:
      'You have as many absences as one may have. End one with /standup back first, or ask a lead.',
    manyTeams: 'The workspace has as many teams as it may have. Ask an admin to delete one first.',
    calendarGone: 'This calendar is not there any more. Choose another one.',
    regionAlone: 'A region belongs to a country: type that as well, such as DE.',
    longAbsence:
      'That is longer than a year. Type /standup ooo until further notice, and /standup back when you are here again.',
    uncertain:
      'It is not certain that this is saved: the store did not answer in time. Do it again: it is saved once.',
    storeAway: 'The service cannot reach its store at the moment. Try again in a minute.',
    slackAway: 'Slack does not say who you are at the moment. Try again in a minute.',
    storeLost: 'The data of this workspace is not in the store. Tell the people who run the service.',
    storeFull: 'The store is full. Tell the people who run the service.',
    workspaceFull:
      'This workspace is out of space. Ask an owner or admin to keep standups for a shorter time or delete old ones, or your operator for more space.',
    ourFault: 'Something went wrong on our side.',
  },
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
  /** Pages in a browser, while somebody installs the bot. */
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
  /** The end of what was too long for one message. */
  cutNote: '… (too long to be shown whole here)',
  trouble: {
    notShown: (team: string, channel: string) =>
      `Standups and reports of ${team} are not shown in ${channel}.`,
    fix: (fix: string, channel: string, code: string) => `${fix} (Slack says ${code} of ${channel}.)`,
    fixes: {
      notIn: (bot: string) => `The bot is not in the channel: type /invite @${bot} there.`,
      notFound: (bot: string) =>
        `The channel is gone, or it is private and the bot is not in it: type /invite @${bot} there, or give the team another channel.`,
      archived: 'The channel is archived: unarchive it, or give the team another channel.',
      scope: 'The app lacks a permission: install it again from its manifest.',
      token: 'Slack no longer takes the token of the app: install the app again.',
      other:
        'Slack does not let the app post there: ask those who run your Slack workspace, or give the team another channel.',
    },
    kept: (at: string) => `All of them are saved, and it is tried again from time to time; last ${at}.`,
    solved: (
      team: string,
      channel: string,
      {standups, reports, held}: {standups: number; reports: number; held: number},
    ) =>
      `Solved: ${countMessages(standups, reports)} of ${team} ${plural(standups + reports, {one: 'was', other: 'were'})} shown in ${channel}${held > 0 ? `, ${held} more to come` : ''}.`,
    lost: (
      team: string,
      channel: string,
      {standups, reports, count}: {standups: number; reports: number; count: number},
    ) =>
      `Of ${countMessages(standups, reports)} of ${team} it is not known, or not true, that ${plural(count, {one: 'it stands', other: 'they stand'})} in ${channel}. “Post again” posts ${plural(count, {one: 'it', other: 'them'})}: look first whether ${plural(count, {one: 'it is', other: 'they are'})} there.`,
    over: (team: string, channel: string) => `Standups and reports of ${team} are shown in ${channel} again.`,
    tryAgain: 'Try again',
    postAgain: 'Post again',
    trying: 'Trying again. The message above will say how it ends.',
  },
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
    /** The link to somebody's standup, by its number. */
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
    /** Under the standup that told of it; what it is stands behind it. `by`: who has acknowledged it. */
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
  /** The one message of a day by which somebody is reminded. */
  typing,
  prompts: {
    due: (teams: number, again: boolean) =>
      again
        ? plural(teams, {one: 'Your standup is still missing.', other: 'Your standups are still missing.'})
        : plural(teams, {one: 'Your standup is due.', other: 'Your standups are due.'}),
    snoozed: (until: string) => `You will be reminded again ${until}.`,
    over: (day: string) => `Standup of ${day}`,
    /** A team that the message names for several days. */
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
     * By the clock of the reader. Slack's names of days are in the language of their Slack, so it is told
     * numbers.
     */
    instant: '{date_num} at {time}',
    /** Where Slack cannot do that. */
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
  form: {
    title: 'Post a standup',
    titleEdit: 'Edit your standup',
    post: 'Post',
    save: 'Save',
    cancel: 'Cancel',
    close: 'Close',
    loading: 'One moment …',
    forTeam: (team: string) => `For ${team}`,
    forTeamOn: (team: string, day: string) => `For ${team}, ${day}`,
    forDay: (day: string) => `For ${day}`,
    tooLate: (team: string, day: string) =>
      `${team} takes no standup for ${day} any more: its run of that day is closed.`,
    outside: (team: string) => `You are not in ${team}. Post in its channel, or ask a lead of it to add you.`,
    editing: (team: string, day: string) => `Your standup for ${team}, ${day}`,
    newUpdate: 'New update',
    leaveTitle: 'Leave this form?',
    leaveForNew: 'What you have changed here is not kept. Your standup stays as it was saved.',
    leaveForSetup: 'What you have written here is not kept.',
    leaveConfirm: 'Leave it',
    leaveDeny: 'Stay',
    addedComesAlong: 'The text that you add comes along.',
    addedIsTooLong: 'The text that you add is too long to come along: add it once more then.',
    team: 'Team',
    yesterday: 'Yesterday',
    since: (day: string) => `Since ${day}`,
    today: 'Today',
    blockers: 'Blockers',
    update: 'Update',
    updateContinued: 'Update, continued',
    anythingElse: 'Anything else',
    also: 'Also post to',
    yes: 'Yes',
    no: 'No',
    moods: ['😞 Very bad', '🙁 Bad', '😐 All right', '🙂 Good', '😄 Very good'],
    needsAnswer: 'This needs an answer.',
    answerFault: (reason: string) => `Your answer ${reason}.`,
    open: 'Open the form',
    notFilled: 'Nothing is posted: the form could not be filled.',
    notOpened,
    yourText: (text: string) => `Your text: ${text}`,
    nothingToday: 'You have posted nothing today, so there is nothing to edit.',
    appendCut: 'The text that you add is too long for one standup. What fits of it stands below.',
    gone: 'This standup is gone: it has been deleted.',
    goneKept: 'This standup has been deleted meanwhile. Post makes a new one of your text.',
    changed: 'This standup was changed meanwhile. Save again to put your text in place of what it says now:',
    teamGone: 'This team is not there any more. Choose another one.',
    notSaved: (reason: string) => `Not saved. ${reason}`,
    needsToday: 'Say what you do today.',
    needsUpdate: 'Write your update.',
    fault: (fault: string) => `This text ${fault}.`,
    tooLong: (length: number, max: number) =>
      `Together this is ${length} characters long; at most ${max} fit into one standup.`,
    madeForOthers: (teams: string) =>
      `This form has posted already, for ${teams}. Close it, and change or undo that, or open a new one.`,
    madeIsDeleted: 'The standup that this form has made is deleted.',
  },
  home: {
    today: 'Today',
    away: (days: string) => `Away: ${days}.`,
    enteredBy: (name: string | null) => ` Entered by ${name ?? 'somebody who has left'}.`,
    awayToday: 'I am away today',
    awayUntil: 'Away until …',
    imBack: 'I’m back',
    awayOver: 'This day is over already: choose today or a later one.',
    notPosted: 'not posted yet',
    posted: 'posted',
    cut: ' … (cut: Edit shows all of it)',
    post: 'Post',
    postFor: (team: string) => `Post for ${team}`,
    edit: 'Edit',
    editFor: (team: string) => `Edit for ${team}`,
    reminders: {
      next: (at: string, team: string) => `Next reminder: ${at}, if you have not posted for ${team} by then.`,
      off: 'No reminder will come: you have turned reminders off.',
      away: (until: string) => `No reminder will come: you are away until ${until}.`,
      awayOpen: 'No reminder will come: you are away until you are back (say so with /standup back).',
      noTeam: 'No reminder will come: no team of yours has reminders.',
      noneSoon: (days: number) => `No reminder will come within the next ${days} days.`,
    },
    mine: 'My teams',
    others: 'Other teams',
    inToday: (people: number, size: number) => `${people} of ${size} in today`,
    atLeastInToday: (people: number) => `${people} or more in today`,
    leads: 'you lead it',
    observes: 'you observe it',
    noChannel: 'no channel',
    leave: 'Leave',
    leaveTeam: (team: string) => `Leave ${team}`,
    settings: 'Settings',
    settingsOfOne: 'Settings of a team',
    settingsOf: (team: string) => `Settings of ${team}`,
    leaveTitle: 'Leave this team?',
    leaveText: (team: string) =>
      `You will no longer be in ${team}. What you have posted stays. To come back, post in its channel or ask a lead.`,
    leaveConfirm: 'Leave',
    leaveDeny: 'Stay',
    toJoin: 'Post in a team’s channel to join it.',
    leadAdds: 'A lead can add you.',
    shown: (first: number, last: number, of: number) => `Teams ${first} to ${last} of ${of}.`,
    earlier: 'Earlier teams',
    further: (more: number) => `${more} more`,
    begin: [
      'Here your team hears from you once a day: what you did, what is next, what is in your way.',
      'Use /standup in the channel of your team: that makes you part of it.',
      'Then post with /standup and your update, or with the form that /standup alone opens.',
    ],
    beginWithoutTeams: 'There is no team yet. Use /standup in a channel to set one up there.',
    left: (team: string) => `You have left ${team}.`,
    teamGone: 'This team is not there any more.',
    slow: 'This takes longer than it should. Your day is shown here as soon as it is read.',
    reference: (reference: string) => `(Reference: ${reference})`,
    again: 'Try again',
  },
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
  setup: {
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
      questionLabel: (line: number, max: number) =>
        `Question ${line} needs words, at most ${max} characters.`,
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
  },
  text,
} as const;
