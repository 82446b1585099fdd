/** Documented limits (docs/api.md, OpenAPI). Lengths are in code points, unless named in bytes. */
export const limits = {
  bodyBytes: 64 * 1024,
  /** The maximum number of errors in one error answer. */
  inputErrors: 20,
  /** The maximum number of fields of an object in a body. No object of the API has as many. */
  objectMembers: 100,
  update: 4_000,
  teamReference: 80,
  slug: 40,
  name: 80,
  email: 254,
  emailDomain: 252,
  description: 200,
  url: 2_048,
  metadataKeys: 20,
  metadataKey: 40,
  metadataValue: 500,
  /** The number of bytes that a workspace may use in the store, unless `WORKSPACE_BYTES` is set. */
  workspaceBytes: 1024 ** 3,
  teamsPerWorkspace: 500,
  /** The maximum number of teams that a list shows for each member. */
  teamsPerRow: 20,
  webhooksPerWorkspace: 500,
  /** Programs such as Zapier create one for each workflow, so one of them must not take all. */
  webhooksPerPrincipal: 100,
  /** The maximum number of webhooks whose failures the answer about the caller counts. */
  webhooksWatched: 100,
  webhookEvents: 50,
  webhookTeams: 100,
  /** The maximum number of waiting deliveries of a webhook. More are created later from the log. */
  pendingPerWebhook: 10_000,
  /** The maximum number of waiting deliveries that become due when a person has a webhook tried. */
  triedAtOnce: 500,
  tokensPerPrincipal: 50,
  /** The maximum number of sessions. One more ends the session that was not used for the longest time. */
  sessionsPerMember: 20,
  /** The maximum number of valid sign-in links. One more ends the oldest link. */
  signInLinksPerMember: 5,
  calendarFeedsPerMember: 10,
  shareLinksPerMember: 50,
  passkeysPerMember: 10,
  /** The maximum number of programs that wait for a person to approve their sign-in. */
  pendingDeviceLogins: 1_000,
  /**
   * The number of wrong codes of such programs that a member may try per minute, and those of a workspace: its
   * admins can add as many members as they like.
   */
  wrongDeviceCodes: 5,
  wrongDeviceCodesPerWorkspace: 50,
  /**
   * The number of sign-in links and sessions per person and day while a workspace is full. Each creates
   * events, which take space.
   */
  waysInWhileFull: 20,
  /** The number of erasures whose progress is stored. */
  erasures: 1_000,
  /** The maximum number of service accounts. Each has its own quota and event streams. */
  serviceAccountsPerWorkspace: 100,
  searchText: 100,
  /** The maximum length of a time zone name, which no real name reaches. */
  timezone: 64,
  cursor: 100,
  pageDefault: 25,
  pageMax: 100,
  /** The number of attempts whose requests and responses are stored, for a webhook and a delivery. */
  excerptsPerWebhook: 100,
  attemptsPerDelivery: 100,
  /** The number of replays that are stored for a webhook, dry runs included; the newest ones stay. */
  replaysPerWebhook: 1_000,
  /** The maximum number of replays of a webhook in 24 hours, each of which may send every event. */
  replaysPerDay: 100,
  /**
   * The maximum number of open event streams in one process: for one principal, and for all together. A
   * workspace may open another stream only while it has fewer open streams than the process has free ones.
   */
  streamsPerPrincipal: 10,
  streamsPerProcess: 1_000,
  /** The longest time (s) for which a read of the event list waits for events. */
  waitForEvents: 30,
  /** The number of days that a standup's date may lie in the past. It may also be one day ahead. */
  daysBack: 365,
  questionsPerTeam: 10,
  questionKey: 40,
  questionLabel: 150,
  choices: 10,
  choice: 75,
  /** The maximum length of a text answer. The limit `update` applies to all answers of a standup together. */
  answer: 2_000,
  remindersPerRun: 5,
  /** The maximum number of weeks between two runs of a schedule. */
  scheduleInterval: 12,
  /** The longest time (min) for late standups after a run. A schedule may also set no limit. */
  lateMinutes: 7 * 24 * 60,
  previewRuns: 50,
  /** The maximum numbers of a participation query: days, counted entries, and listed entries. */
  participationDays: 366,
  participationLines: 60_000,
  participationCells: 20_000,
  /** The maximum numbers of a query of trends: standups read, and questions in the answer. */
  trendRows: 20_000,
  trendQuestions: 30,
  /** The maximum number of questions in the summary of a week. */
  weekQuestions: 10,
  /** The page of a shared week: the rows of people, the open blockers, and the length of a blocker's text. */
  sharedWeekPeople: 500,
  sharedWeekBlockers: 100,
  sharedWeekText: 300,
  /** The number of times that people may post one report in channels of Slack. */
  copiesPerReport: 50,
  /** The longest time (min) for which a manually opened run stays open. */
  runMinutes: 24 * 60,
  /** The maximum length of an absence in days, and how many days ahead it may begin. */
  absenceDays: 366,
  absenceDaysAhead: 731,
  /** The maximum number of absences of a member, without those that ended more than `daysBack` days ago. */
  absencesPerMember: 500,
  reason: 200,
  /** The emoji in Slack's status that count as being away, and the members whose status is looked at for a run. */
  awayEmoji: 20,
  statusesPerRun: 200,
  blocker: 1_000,
  comment: 4_000,
  commentsPerStandup: 500,
  /**
   * The inbox of a member: its items, of which the newest stay; the people that one change notifies; those of them
   * who get a message; the time (ms) in which people at their desk read it first; the conversations that they
   * mute, of which the newest stay; the newest comments whose authors follow a thread; the length of an
   * excerpt; and the number up to which unread items are counted.
   */
  inboxItems: 200,
  inboxRecipients: 500,
  inboxMessages: 100,
  noticeDelayMs: 120_000,
  inboxMuted: 1_000,
  inboxThread: 50,
  inboxExcerpt: 200,
  inboxUnread: 100,
  openBlockersPerTeam: 200,
  /**
   * Reactions to a standup: the different emoji, the people and programs, and the names that are shown for each
   * emoji. A page of 100 standups reads the reactions of all people: at most 10,000 records, in 0.1 s.
   */
  emojiPerSubject: 12,
  reactionsPerSubject: 100,
  namesPerEmoji: 10,
  teamsPerSubmission: 10,
  /** The maximum number of members and teams that a standup mentions. */
  mentions: 20,
  /** The maximum number of teams that a list of standups or blockers is filtered by. */
  teamsPerQuery: 10,
  /**
   * The maximum number of messages to the bot that make up one standup, and of messages of a person that the
   * bot answers per minute.
   */
  messagesPerDraft: 60,
  typedPerMinute: 20,
  /**
   * Drafts of a member's standups: the parts of one writer for one day in one team; all parts of the member,
   * and as many of all others, of which one writes half; the links of a part; the length of a source, and of a
   * link's title; how many days ahead the date of one may be.
   */
  draftParts: 10,
  draftPartsPerMember: 50,
  draftPartsPerOtherWriter: 25,
  draftLinks: 20,
  draftSource: 40,
  draftLinkTitle: 200,
  draftDaysAhead: 7,
  /**
   * The maximum number of days in a query for days off, and the maximum distance from today in years.
   * Holidays are computed for each day.
   */
  daysOffSpan: 100,
  daysOffYears: 10,
  holidayCalendars: 50,
  emailsPerRequest: 50,
  /** The rows in one request of an import, and those that cost one request of the quota. */
  importRows: 100,
  importRowsPerWrite: 25,
  importPeople: 500,
  externalId: 200,
  teamsPerInvite: 20,
  /** The number of people who may join by one link: at most, and by default. */
  inviteUses: 500,
  inviteUsesDefault: 100,
  /** The number of invites that a workspace may create on one day (UTC): in its first week, and later. */
  invitesPerDayAtFirst: 50,
  invitesPerDay: 500,
  /** The maximum number of open invites of a lead. */
  openInvitesPerLead: 50,
  /** The number of invites to one address on one day (UTC). */
  invitesPerAddress: 3,
  /** The number of notices of a kind on one day (UTC), to one address or about one webhook. */
  noticesPerDay: 10,
  /** The number of codes to sign in for one address: in an hour, and in a day. */
  codesPerHour: 5,
  codesPerDay: 20,
  /** The number of codes to join by one link, in an hour. */
  codesPerInvite: 100,
  /**
   * The maximum length of an iCalendar file, the maximum number of days off in it, and the number of years
   * that are read from the current year on. The year before is read too.
   */
  calendarFile: 60_000,
  holidayDays: 500,
  holidayYears: 6,
  /** The range of days after which a workspace may delete standups. It may also keep them forever. */
  retentionDaysMin: 30,
  retentionDaysMax: 3_650,
} as const;

/** Bounds of the memory and slots that callers can take in one process. docs/security-evidence.md also lists what else can grow. */
export const processBounds = {
  connections: 10_000,
  unansweredRequests: 8,
  unreadBytes: 128 * 1024 * 1024,
  /** The maximum number of pieces of one body. A body of 64 KiB arrives in about 50 packets. */
  bodyPieces: 1_024,
  /** The maximum size of all incomplete bodies. Those from Slack come from unverified senders. */
  arrivingBytes: 64 * 1024 * 1024,
  /** The maximum number of requests waiting to start: for one token, and for all unknown tokens. */
  waitingRequests: 2_000,
  knownTokens: 10_000,
  /** The maximum number of answers compressed at a time. Further answers are sent uncompressed. */
  compressions: 8,
  /** The size of the cache of teams, and of that of webhooks (bytes). */
  directoryBytes: 64 * 1024 * 1024,
  /** The size of the cache of open runs (bytes). */
  openRunBytes: 8 * 1024 * 1024,
  /** The size of the cache that tells whether list pages have changed (bytes). */
  knownPageBytes: 4 * 1024 * 1024,
  /** The size of the cache of recently answered list pages (bytes). */
  wholePageBytes: 8 * 1024 * 1024,
  /** The number of different commit scripts whose text is cached. There are some dozens. */
  commitScripts: 500,
  /** The size of log lines that wait for stdout (bytes). */
  logBytes: 8 * 1024 * 1024,
  /** The maximum number of sign-ins for which identity providers are asked at a time. */
  signIns: 100,
  /** The maximum number of interim (1xx) answers from a receiver before its final answer. */
  interimAnswers: 5,
  /** The maximum number of chunks in a receiver's answer. Each chunk costs the same, however small it is. */
  answerPieces: 256,
  /** The maximum size of the status line and headers of a receiver's answer (bytes). */
  answerHeadBytes: 16 * 1024,
} as const;

/** The lifetimes of data, in seconds. */
export const lifetimes = {
  idempotency: 24 * 3600,
  waysIn: 24 * 3600,
  /** The count of invites to an address on a day. */
  invited: 24 * 3600,
  /** The lifetime of events, deliveries and attempts, unless `RETENTION_DAYS` sets another one. */
  events: 30 * 24 * 3600,
  /**
   * The body of an event in a process's memory. This time is enough to send it to all webhooks, and an
   * erasure takes effect soon.
   */
  renderedBody: 2,
  /** The longest time without reading the log for Slack, after which Slack's waiting work is dropped. */
  idleConsumer: 24 * 3600,
  /** The time after an event at which its unfinished deliveries are given up, for whatever reason. */
  delivery: 15 * 24 * 3600,
  /** The counts of a webhook's attempts in one hour. */
  health: 26 * 3600,
  /** A replay after its end, or after its start if it does not end. */
  replay: 30 * 24 * 3600,
  runningReplay: 46 * 24 * 3600,
  /** The progress of an erasure after its last step. */
  erasure: 90 * 24 * 3600,
  /** An import that takes rows; the time in which it can be taken back; and its record. */
  importOpen: 7 * 24 * 3600,
  importRemovable: 30 * 24 * 3600,
  /** The list of what an import has made. Taking it back may wait, as while the workspace is read-only. */
  importListed: 37 * 24 * 3600,
  importKept: 90 * 24 * 3600,
  /** The people of an import. The retention of a workspace looks once a day, so an open import lasts longer. */
  importPeople: 9 * 24 * 3600,
  /** Records of messages in Slack channels, also of those deleted before they were heard of. */
  slackMessage: 400 * 24 * 3600,
  slackMessageGone: 7 * 24 * 3600,
  /** The time for which a look at a member's status in Slack is kept, for the reports of its runs. */
  slackStatus: 8 * 24 * 3600,
  tokenDefault: 90 * 24 * 3600,
  tokenMin: 60,
  tokenMax: 366 * 24 * 3600,
  /** A session of the dashboard: its total time, and its time without use. */
  session: 30 * 24 * 3600,
  sessionIdle: 7 * 24 * 3600,
  /** A token with which a session calls the API. */
  sessionToken: 600,
  /** The time after a sign-in in which a session may use its powerful scopes. */
  confirmed: 15 * 60,
  signInLink: 600,
  /** The address of a calendar feed: three years. */
  calendarFeed: 1_096 * 24 * 3600,
  shareLink: 7 * 24 * 3600,
  shareLinkMin: 3600,
  shareLinkMax: 30 * 24 * 3600,
  /** The time for a person to approve the sign-in of a program. */
  deviceLogin: 600,
  /** The pause between two questions of the program whether it is approved. */
  deviceLoginPause: 3,
  /** The time in which the program gets its token again, if it has lost the answer. */
  deviceLoginRepeat: 60,
  inviteDefault: 7 * 24 * 3600,
  inviteMin: 3600,
  inviteMax: 30 * 24 * 3600,
  /** An invite after its expiry. Until then, its link says what has become of it. */
  inviteKept: 30 * 24 * 3600,
  /** The time that a person may take to add a passkey, or to sign in with one. */
  passkeyChallenge: 300,
  /** The time that a person may spend at an identity provider. */
  signIn: 600,
  /** A code to sign in, and the time before another one may be asked for. */
  signInCode: 600,
  signInCodePause: 30,
  /**
   * A replaced signing key, until its last token has expired. The additional hour is for a token that was
   * being signed at that moment.
   */
  signingKeyAfter: (366 * 24 + 1) * 3600,
  /** An inbox, after its last item. */
  inbox: 90 * 24 * 3600,
  /** A part of a draft, after its last change. */
  draft: 8 * 24 * 3600,
  /** A record of messages to the bot, after a person's last message. */
  typed: 48 * 3600,
  /** The time for which an old webhook secret also signs after a rotation. */
  secretOverlapDefault: 24 * 3600,
  secretOverlapMax: 7 * 24 * 3600,
  /** The longest validity of a trusted issuer's token, because it cannot be revoked here. */
  externalToken: 24 * 3600,
  /** The tolerated difference between the clock that signed a token and ours. */
  tokenSkew: 5,
} as const;

/** Lifetimes (s) that an installation or a test may set. */
export interface Retention {
  readonly events: number;
  /**
   * The time until a delivery is given up; see `lifetimes.delivery`. It is far below `events`, since
   * deliveries are shown afterwards.
   */
  readonly delivery: number;
}

export const standardRetention: Retention = {events: lifetimes.events, delivery: lifetimes.delivery};

/** Time limits in milliseconds. */
export const deadlines = {
  /** The time for all store accesses of one request, or of one step of a streamed answer. */
  request: 1_200,
  /** The time for each call by a job. */
  job: 5_000,
  /** The time for which a caller may read nothing of an answer before the connection is closed. */
  drain: 30_000,
} as const;

/** Settings of event streams; times are in milliseconds. */
export const streaming = {
  /** The interval between heartbeats. Each one also checks the token again. */
  pulse: 15_000,
  /** The age of the last token check after which the token is checked again before events are read. */
  recheck: 1_000,
  /** The longest absence of the store before a stream ends, and the interval between retries. */
  away: 30_000,
  retry: 250,
  /** The time for all store accesses of one step. */
  step: deadlines.request,
  /** The number of events that are read at a time. */
  page: 20,
  /** The time after which a client should connect again. */
  reconnect: 2_000,
} as const;

/** `pendingPerWebhook` as texts show it. */
export const mostWaiting = new Intl.NumberFormat('en-US').format(limits.pendingPerWebhook);
