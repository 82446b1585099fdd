/** Every name that Slack sends back to us, each once. */

export const standupCommand = '/standup';

/** Callback ids of the shortcuts; the manifest has them too. */
export const shortcuts = {post: 'post-standup', addMessage: 'add-to-standup'} as const;

export const views = {
  standup: 'standup-form',
  setup: 'set-up-team',
  settings: 'team-settings',
  addPeople: 'add-people',
  own: 'own-settings',
  deleteStandup: 'delete-standup',
} as const;

/** The part of an `action_id` up to a colon: the suffix distinguishes buttons of one block. */
export const actions = {
  openForm: 'open-form',
  /** In the form: replaces it with an empty one. */
  newUpdate: 'new-update',
  /** In the form: a team picked from the list. */
  chooseTeam: 'choose-team',
  undo: 'undo-standup',
  /** Edit and Delete, in the message of a standup. */
  standupMenu: 'standup-menu',
  keepStandup: 'keep-standup',
  undoAbsence: 'undo-absence',
  runCommand: 'run-command',
  postText: 'post-text',
  history: 'show-history',
  leaveTeam: 'leave-team',
  homePost: 'home-post',
  homeAway: 'home-away',
  homeAwayUntil: 'home-away-until',
  homeBack: 'home-back',
  homeEdit: 'home-edit',
  homeLeave: 'home-leave',
  homeHistory: 'home-history',
  homeSettings: 'home-settings',
  homeEarlier: 'home-earlier',
  homeFurther: 'home-further',
  homeAgain: 'home-again',
  homeResolve: 'home-resolve',
  openDashboard: 'open-dashboard',
  showMissing: 'show-missing',
  /** In the message that notifies a person of their new team. */
  leaveNewTeam: 'leave-told',
  /** In the message about a member whose Slack account is deactivated. */
  removeGone: 'remove-gone',
  remindMissing: 'remind-missing',
  /** The menu of the day's message. */
  dayMenu: 'day-menu',
  acknowledgeBlocker: 'acknowledge-blocker',
  resolveBlocker: 'resolve-blocker',
  setUp: 'open-setup',
  /** In the setup: the fields that have good defaults. */
  setupMore: 'setup-more',
  openSettings: 'open-settings',
  postAfterSetup: 'post-after-setup',
  tryAgain: 'try-again',
  postAgain: 'post-again',
  openOwn: 'open-own-settings',
  promptPost: 'prompt-post',
  promptSkip: 'prompt-skip',
  promptSnooze: 'prompt-snooze',
  /** A button in place of a subcommand that is typed to the bot. */
  quickReply: 'typed-word',
  offerPost: 'offer-post',
  offerNo: 'offer-no',
} as const;

/**
 * Blocks of the form; each has one element, named `value`, except the list of teams, which reports a choice
 * at once. `update`: the whole text, when it does not have the form's parts.
 */
export const fields = {
  team: 'team',
  /** Further teams. */
  also: 'also',
  yesterday: 'yesterday',
  today: 'today',
  blockers: 'blockers',
  resolved: 'resolved',
  update: 'update',
} as const;

/**
 * Blocks of the setup of a team and of its settings, in the same manner. `add` and `remove` replace `members`
 * in a big team.
 */
export const teamFields = {
  name: 'name',
  members: 'members',
  leads: 'leads',
  add: 'add',
  remove: 'remove',
  zone: 'zone',
  channel: 'channel',
  shown: 'shown',
  days: 'days',
  repeat: 'repeat',
  opens: 'opens',
  closes: 'closes',
  reminders: 'reminders',
  clock: 'clock',
  promptAt: 'prompt-at',
  mentions: 'mentions',
  digest: 'digest',
  late: 'late',
  more: 'more',
  questions: 'questions',
} as const;

/** Blocks of a person's own settings. */
export const ownFields = {
  reminded: 'reminded',
  promptAt: 'prompt-at',
  quietFrom: 'quiet-from',
  quietUntil: 'quiet-until',
  country: 'country',
  region: 'region',
  calendar: 'calendar',
} as const;

export const fieldValue = 'value';

/** The permissions that the bot requests in a Slack workspace; the manifest has the same. */
export const botScopes = [
  'app_mentions:read',
  'commands',
  'chat:write',
  'users:read',
  'users:read.email',
  'channels:history',
  'groups:history',
  'channels:join',
  'im:history',
] as const;

/** The optional permissions, which an installation may leave out; Slack asks for them separately. */
export const optionalScopes = [
  'channels:history',
  'groups:history',
] as const satisfies readonly (typeof botScopes)[number][];

/** Slack's documented limits that concern us: https://docs.slack.dev/reference/block-kit */
export const slackLimits = {
  /** `chat.update` refuses more, although `chat.postMessage` takes 40,000. */
  messageText: 4_000,
  messageBlocks: 50,
  modalBlocks: 100,
  /** The total size of the blocks of one message; a little under what Slack has refused in tests. */
  blockBytes: 12_000,
  /** All text in the blocks of one message. */
  blockText: 6_000,
  /** One text element of a message. */
  element: 2_000,
  section: 3_000,
  option: 75,
  options: 100,
  buttonValue: 2_000,
  header: 150,
  buttonText: 75,
  confirmText: 300,
  privateMetadata: 3_000,
  fieldError: 300,
} as const;
