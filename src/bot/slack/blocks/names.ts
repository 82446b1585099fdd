/** Every name that Slack sends back to us, once. */

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

/** The part of an `action_id` up to a colon: what follows tells buttons of one block apart. */
export const actions = {
  openForm: 'open-form',
  /** In the form: an empty one in its place. */
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
  /** In the message that tells somebody of their team. */
  leaveTold: 'leave-told',
  /** In the message that tells of somebody who is gone from Slack. */
  removeGone: 'remove-gone',
  remindMissing: 'remind-missing',
  /** The menu of the day's message. */
  dayMenu: 'day-menu',
  acknowledgeBlocker: 'acknowledge-blocker',
  resolveBlocker: 'resolve-blocker',
  setUp: 'open-setup',
  /** In the set-up: the fields that have good defaults. */
  setupMore: 'setup-more',
  openSettings: 'open-settings',
  postAfterSetup: 'post-after-setup',
  tryAgain: 'try-again',
  postAgain: 'post-again',
  openOwn: 'open-own-settings',
  promptPost: 'prompt-post',
  promptSkip: 'prompt-skip',
  promptSnooze: 'prompt-snooze',
  /** Stands for a word that is typed to the bot. */
  typedWord: 'typed-word',
  offerPost: 'offer-post',
  offerNo: 'offer-no',
} as const;

/**
 * Blocks of the form; each has one element, named `value`, but for the list of teams, which tells at once
 * when one is picked. `update`: the whole text, where it has not the form's parts.
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
 * Blocks of the set-up of a team and of its settings, in the same manner. `add` and `remove` stand for
 * `members` in a big team.
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

/** Blocks of one's own settings. */
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

/** The permissions that the bot asks for in a Slack workspace; the manifest has the same. */
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

/** The permissions that may be left out at an installation; Slack asks for them apart. */
export const optionalScopes = [
  'channels:history',
  'groups:history',
] as const satisfies readonly (typeof botScopes)[number][];

/** Slack's documented limits that concern us: https://docs.slack.dev/reference/block-kit */
export const slackLimits = {
  /** `chat.update` refuses more, where `chat.postMessage` takes 40,000. */
  messageText: 4_000,
  messageBlocks: 50,
  modalBlocks: 100,
  /** Blocks of one message together; a little under what has been seen refused. */
  blockBytes: 12_000,
  /** All text of the blocks of one message. */
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
