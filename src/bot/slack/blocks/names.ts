/** All names that we send to Slack and that Slack sends back. */

export const standupCommand = '/standup';

/** Callback ids of the shortcuts; the app manifest contains the same ids. */
export const shortcuts = {post: 'post-standup', addMessage: 'add-to-standup'} as const;

export const views = {
  standup: 'standup-form',
  setup: 'set-up-team',
  settings: 'team-settings',
  addPeople: 'add-people',
  own: 'own-settings',
  deleteStandup: 'delete-standup',
} as const;

/** Ids of buttons and menus. The part of an `action_id` after a colon tells buttons of one block apart. */
export const actions = {
  openForm: 'open-form',
  /** The button in the form that replaces the form with an empty one. */
  newUpdate: 'new-update',
  insertDraft: 'insert-draft',
  chooseTeam: 'choose-team',
  undo: 'undo-standup',
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
  /** The buttons below a report: they ask, post it in the channel, or mail it. */
  ofReport: 'of-report',
  showMissing: 'show-missing',
  /** The button to leave a team, in the message that tells a person of their new team. */
  leaveNewTeam: 'leave-told',
  /** The button to remove a member, in the message about a member whose Slack account is deactivated. */
  removeGone: 'remove-gone',
  remindMissing: 'remind-missing',
  /** The buttons in the message of a day. */
  ofDay: 'of-day',
  acknowledgeBlocker: 'acknowledge-blocker',
  resolveBlocker: 'resolve-blocker',
  setUp: 'open-setup',
  openSettings: 'open-settings',
  /** The button that opens a team's settings in the dashboard. */
  moreSettings: 'more-settings',
  postAfterSetup: 'post-after-setup',
  tryAgain: 'try-again',
  postAgain: 'post-again',
  openOwn: 'open-own-settings',
  promptPost: 'prompt-post',
  promptAway: 'prompt-away',
  promptSkip: 'prompt-skip',
  promptSnooze: 'prompt-snooze',
  /** A button that does the same as typing its subcommand to the bot. */
  quickReply: 'typed-word',
  offerPost: 'offer-post',
  offerNo: 'offer-no',
} as const;

/** Blocks of the form, each with one element `value`, except the teams. `update`: a text without parts. */
export const fields = {
  team: 'team',
  /** Checkboxes for further teams. */
  also: 'also',
  yesterday: 'yesterday',
  today: 'today',
  blockers: 'blockers',
  resolved: 'resolved',
  update: 'update',
} as const;

export const teamFields = {
  name: 'name',
  people: 'people',
  channel: 'channel',
  days: 'days',
  opens: 'opens',
  zone: 'zone',
  questions: 'questions',
  /** How updates appear in the channel. */
  mode: 'mode',
} as const;

export const ownFields = {
  reminded: 'reminded',
  promptAt: 'prompt-at',
  quietFrom: 'quiet-from',
  quietUntil: 'quiet-until',
  slackStatus: 'slack-status',
} as const;

export const fieldValue = 'value';

/** The permissions that the bot requests in a Slack workspace; the app manifest contains the same list. */
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

/** The optional permissions, which a Slack workspace may refuse; Slack asks for them separately. */
export const optionalScopes = [
  'channels:history',
  'groups:history',
] as const satisfies readonly (typeof botScopes)[number][];

/** Slack's documented limits that apply to the bot: https://docs.slack.dev/reference/block-kit */
export const slackLimits = {
  /** The maximum length of a message's `text` in `chat.update`, although `chat.postMessage` takes 40,000. */
  messageText: 4_000,
  messageBlocks: 50,
  modalBlocks: 100,
  /** The maximum total size of a message's blocks: a little less than what Slack refused in tests. */
  blockBytes: 12_000,
  /** The maximum length of all text in the blocks of one message. */
  blockText: 6_000,
  /** The maximum length of one text element of a message. */
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
