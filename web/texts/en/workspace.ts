import {plural} from '../plural.ts';

const count = (amount: number, one: string, other: string): string =>
  `${amount} ${plural('en', amount, {one, other})}`;

const posts = ({standups, reports}: {standups: number; reports: number}): string =>
  [
    ...(standups > 0 ? [count(standups, 'standup', 'standups')] : []),
    ...(reports > 0 ? [count(reports, 'report', 'reports')] : []),
  ].join(' and ');

export const workspace = {
  title: 'Workspace',
  sub: 'Name, retention, Slack and exports.',
  subOfMember: 'Slack and exports.',
  settings: {
    title: 'Name and retention',
    name: 'Name',
    slug: (slug: string) => `Short name: ${slug}. Programs use it; it can’t be changed.`,
    retention: 'Keep standups, blockers and absences',
    forEver: 'Until someone deletes them',
    forDays: 'For a number of days',
    days: 'Days',
    daysHint: 'From 30 to 3,650.',
    keepsAll:
      'Nothing is deleted automatically. Standups, blockers and absences stay until someone deletes them.',
    deletes: (day: string) =>
      `Standups before ${day} are deleted, with unacknowledged blockers that only they raised. So are blockers and absences that ended before it. This date moves forward daily. Participation numbers stay.`,
    shorter: 'This deletes more data within the hour. It can’t be undone.',
    used: (used: string, limit: string | undefined) =>
      limit === undefined
        ? `${used} used.`
        : `${used} of ${limit} used. When it is full, no one can post until you free space. Deleted data counts for a while longer, usually 30 days, because webhooks still get its events.`,
    save: 'Save',
    discard: 'Discard',
    saved: 'Workspace saved.',
    confirmTitle: 'Delete older data?',
    confirm: 'Save and delete',
    conflict: 'Someone else changed the workspace',
    conflictText: 'Choose which version to keep. Nothing is saved until then.',
    mine: 'Yours',
    theirs: 'Theirs',
    keepMine: 'Keep mine',
    takeTheirs: 'Take theirs',
    kept: (days: number | null) =>
      days === null ? 'kept until deleted' : `kept for ${count(days, 'day', 'days')}`,
  },
  slack: {
    title: 'Slack',
    connectedTo: (name: string) => `Connected to ${name}.`,
    connected: 'Connected to Slack.',
    notConnected: 'Not connected to Slack.',
    notSetUp: 'Slack is not set up here.',
    notSetUpText: 'Your operator can set it up (see docs/slack.md). People can use the dashboard without it.',
    since: 'Connected',
    by: (name: string) => `by ${name}`,
    ways: {token: 'Set in the service’s configuration', oauth: 'Installed from Slack'},
    transports: {http: 'Slack calls the service', socket: 'Socket Mode'},
    bot: (name: string) => `The bot is called ${name}`,
    noAnswer: 'Slack is not responding, so permissions could not be checked.',
    refused: (code: string) => `Slack rejects the bot’s token: ${code}.`,
    install: 'Install in Slack',
    again: 'Install again',
    missing: 'The bot needs these permissions:',
    missingOptional: 'Optional permissions that are not granted:',
    missingOptionalText:
      'Without them the bot can’t check whether a post arrived when Slack does not answer. People press “Try again”.',
    byToken: 'Your operator can fix this in the app’s settings in Slack, then install it again.',
    renewToken: 'Ask your operator to reinstall the app in Slack and set the new token.',
    wrongWorkspace: 'The configured Slack token belongs to another workspace. See SLACK_WORKSPACE.',
    comeBack: 'Ask someone who can add Slack apps to install it again. Waiting posts are sent then.',
    first:
      'Ask someone who can add Slack apps to install it. A new Slack workspace gets its own workspace here, unless the configuration names this one.',
    channels: 'Channels',
    channelsText: 'Standups and reports are posted here.',
    noChannels: 'No team has a channel yet.',
    noChannelsText: 'Set a channel in team settings, or type /standup in the channel.',
    teams: 'All teams',
    posts: {standups: 'Standups', reports: 'Reports'},
    openChannel: 'Open in Slack',
    hasTrouble: 'Some posts are missing',
    more: 'Show more',
    troubles: 'Posts that failed',
    noTroubles: 'All posts are in Slack.',
    goneTeam: 'A deleted team',
    states: {open: 'Waiting', solving: 'Posting', solved: 'Solved'},
    reasons: {
      not_in_channel: 'The bot is not in the channel. Type /invite and its name there.',
      channel_not_found:
        'The channel was deleted, or it is private and the bot is not in it. Invite the bot, or choose another channel.',
      is_archived: 'The channel is archived. Unarchive it, or choose another channel.',
      missing_scope: 'The app lacks a permission. Install it again.',
      token: 'Slack no longer accepts the app’s token. Install the app again.',
      other: 'Slack does not let the app post there. Ask a Slack admin, or choose another channel.',
    },
    says: (code: string) => `Slack says ${code}.`,
    tried: 'last tried',
    troubleSince: 'began',
    givenUp: (lost: {standups: number; reports: number}) =>
      `${posts(lost)} may be missing there. Check first: “Try again” posts them again.`,
    shown: (shown: {standups: number; reports: number}) => `${posts(shown)} posted since.`,
    waiting: (amount: number) => `${count(amount, 'post', 'posts')} still to come.`,
    tryAgain: 'Try again',
    trying: (channel: string) => `Trying again in ${channel} …`,
    disconnect: 'Disconnect Slack',
    disconnectTitle: 'Disconnect Slack?',
    disconnectText:
      'The bot leaves Slack and sends no more questions or reminders there. Messages in channels stay. People, standups and teams stay here. Waiting posts are sent when the bot is installed again.',
    confirmAbove: 'To disconnect, first confirm it’s you above.',
    disconnected: 'Slack disconnected.',
  },
  exports: {
    title: 'Export data',
    what: 'Data',
    kinds: {
      standups: 'Standups',
      absences: 'Absences',
      participation: 'Participation',
    },
    team: 'Team',
    everyTeam: 'All teams',
    chooseTeam: 'Choose one team.',
    days: 'Days',
    allDays: 'All days',
    lastDays: 'The last 30 days',
    someDays: 'Some days …',
    fromUntil: 'From – until',
  },
  erasures: {
    title: 'Erasures',
    text: 'Erasing a member removes everything they wrote, in the background.',
    people: 'Go to People',
    none: 'No one was erased recently.',
    begun: 'Started',
    ended: 'ended',
    states: {
      queued: 'Waiting',
      running: 'Running',
      failed: 'Will retry',
      done: 'Done',
    },
    progress: (erased: number, left: number) =>
      left === 0 ? `${count(erased, 'item', 'items')} erased` : `${erased} of ${erased + left} erased`,
    counts: {
      team_places: 'team memberships',
      access_tokens: 'tokens and sessions',
      absences: 'absences',
      blockers: 'blockers',
      standups: 'standups',
      traces: 'earlier versions and mentions',
    },
  },
  sessions: {
    title: 'Sessions',
    text: 'See who is signed in, with tokens and sessions.',
    count: (amount: number) => `${count(amount, 'session', 'sessions')} open in this workspace.`,
    open: 'Sessions',
  },
};
