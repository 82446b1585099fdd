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
  sub: 'Its name, what it keeps and for how long, Slack, and taking data out.',
  subOfMember: 'How it is connected to Slack, and taking data out.',
  settings: {
    title: 'Name and retention',
    name: 'Name',
    slug: (slug: string) => `Programs know it as ${slug}, which never changes.`,
    retention: 'How long what people write is kept',
    forEver: 'Until somebody deletes it',
    forDays: 'For a number of days, then it is deleted',
    days: 'Days',
    daysHint: 'From 30 to 3,650.',
    keepsAll: 'Nothing is deleted by age. Standups, blockers and absences stay until somebody deletes them.',
    deletes: (day: string) =>
      `Standups from before ${day} are deleted with blockers that only they raised and nobody acknowledged, and so are blockers and absences that ended before it. The day moves on every day. How many people took part stays.`,
    shorter: 'That deletes more than now, within the hour, and nobody gets it back.',
    used: (used: string, limit: string | undefined) =>
      limit === undefined
        ? `${used} used.`
        : `${used} of ${limit} used. When it is full, nobody can post until you make room. What you delete counts for a while longer (30 days as a rule), since webhooks are still told of it.`,
    save: 'Save',
    discard: 'Discard',
    saved: 'The workspace is saved.',
    confirmTitle: 'Delete what is older?',
    confirm: 'Save and delete',
    conflict: 'Somebody changed the workspace meanwhile',
    conflictText: 'Choose which one counts. Nothing is saved until then.',
    mine: 'Yours',
    theirs: 'Now there',
    keepMine: 'Keep yours',
    takeTheirs: 'Take what is there',
    kept: (days: number | null) =>
      days === null ? 'kept until deleted' : `kept for ${count(days, 'day', 'days')}`,
  },
  slack: {
    title: 'Slack',
    connectedTo: (name: string) => `Connected to ${name}.`,
    connected: 'Connected to Slack.',
    notConnected: 'Not connected to Slack.',
    notSetUp: 'Slack is not set up in this installation.',
    notSetUpText:
      'The operator of this service sets it up, as docs/slack.md says. People can use the dashboard without it.',
    since: 'Connected',
    by: (name: string) => `by ${name}`,
    ways: {token: 'By the configuration of the service', oauth: 'Installed from Slack'},
    transports: {http: 'Slack calls the service', socket: 'Socket Mode'},
    bot: (name: string) => `The bot is called ${name}`,
    noAnswer: 'Slack does not answer at the moment, so permissions could not be looked at.',
    refused: (code: string) => `Slack does not take the token of the bot: ${code}.`,
    install: 'Install in Slack',
    again: 'Install again',
    missing: 'The bot lacks permissions that it needs:',
    missingOptional: 'Left out at the installation, which is allowed:',
    missingOptionalText:
      'Where posting had no answer, the bot cannot look whether it arrived. People press “Try again”.',
    byToken:
      'The operator of this service mends this in the settings of the app in Slack, and installs it there again.',
    renewToken: 'Ask your operator to install the app again in Slack and set the new token.',
    wrongWorkspace: 'The Slack token in the configuration is for another workspace: see SLACK_WORKSPACE.',
    comeBack: 'Somebody who may add apps in Slack installs it again. What waits is posted then.',
    first:
      'Somebody who may add apps in Slack installs it. A new Slack workspace gets a workspace of its own, unless the configuration names this one.',
    channels: 'Channels',
    channelsText: 'Standups and reports are posted here.',
    noChannels: 'No team has a channel yet.',
    noChannelsText: 'A team gets its channel in its settings, or by /standup in the channel.',
    teams: 'All teams',
    posts: {standups: 'Standups', reports: 'Reports'},
    openChannel: 'Open in Slack',
    hasTrouble: 'Not everything is shown',
    more: 'Show more',
    troubles: 'Not shown in Slack',
    noTroubles: 'Everything that was to be posted is shown.',
    goneTeam: 'A team that is gone',
    states: {open: 'Waits', solving: 'Being posted', solved: 'Solved'},
    reasons: {
      not_in_channel: 'The bot is not in the channel: type /invite and its name there.',
      channel_not_found:
        'The channel is gone, or it is private and the bot is not in it: invite it, or give the team another channel.',
      is_archived: 'The channel is archived: unarchive it, or give the team another channel.',
      missing_scope: 'The app lacks a permission: install it again.',
      token: 'Slack no longer takes the token of the app: install the app again.',
      other:
        'Slack does not let the app post there: ask those who run your Slack workspace, or give the team another channel.',
    },
    says: (code: string) => `Slack says ${code}.`,
    tried: 'last tried',
    troubleSince: 'began',
    givenUp: (lost: {standups: number; reports: number}) =>
      `${posts(lost)} may be missing there. Look first: trying again posts them once more.`,
    shown: (shown: {standups: number; reports: number}) => `${posts(shown)} posted since.`,
    waiting: (amount: number) => `${count(amount, 'post', 'posts')} still to come.`,
    tryAgain: 'Try again',
    trying: (channel: string) => `Trying again in ${channel}. This page says how it ends.`,
    disconnect: 'Disconnect Slack',
    disconnectTitle: 'Disconnect Slack?',
    disconnectText:
      'The bot leaves Slack, and nobody is asked or reminded there. What stands in channels stays. People, standups and teams stay here. What is still to be posted waits until the bot is installed again.',
    confirmAbove: 'To disconnect, first confirm above that it is you.',
    disconnected: 'Slack is disconnected.',
  },
  exports: {
    title: 'Take data out',
    what: 'What',
    kinds: {
      standups: 'Standups',
      absences: 'Absences',
      participation: 'Who took part',
    },
    team: 'Team',
    everyTeam: 'All teams',
    chooseTeam: 'Choose a team: this is counted for one at a time.',
    days: 'Days',
    allDays: 'All days',
    lastDays: 'The last 30 days',
    someDays: 'Some days …',
    fromUntil: 'From and until',
  },
  erasures: {
    title: 'Erasures',
    text: 'Erasing a member removes everything they wrote, in the background.',
    people: 'Begin on People',
    none: 'Nobody was erased in the last weeks.',
    begun: 'Begun',
    ended: 'ended',
    states: {
      queued: 'Waits',
      running: 'Under way',
      failed: 'Will be tried again',
      done: 'Done',
    },
    progress: (erased: number, left: number) =>
      left === 0 ? `${count(erased, 'thing', 'things')} erased` : `${erased} of ${erased + left} erased`,
    counts: {
      team_places: 'places in teams',
      access_tokens: 'tokens and sessions',
      absences: 'absences',
      blockers: 'blockers',
      standups: 'standups',
      traces: 'traces elsewhere',
    },
  },
  sessions: {
    title: 'Sessions',
    text: 'Everybody who is signed in is listed with the tokens and sessions.',
    count: (amount: number) => `${count(amount, 'session', 'sessions')} open in this workspace.`,
    open: 'Sessions',
  },
};
