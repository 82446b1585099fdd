/**
 * Published limits (docs/api.md and the OpenAPI document). Lengths are Unicode code points unless a name says bytes.
 */
export const limits = {
  bodyBytes: 64 * 1024,
  /** Errors that one refusal names. */
  inputErrors: 20,
  /** Members of one object in a body; no object of the API has as many. */
  objectMembers: 100,
  update: 4_000,
  teamReference: 80,
  slug: 40,
  name: 80,
  email: 254,
  description: 200,
  url: 2_048,
  metadataKeys: 20,
  metadataKey: 40,
  metadataValue: 500,
  /** Bytes of the store that a workspace may use, unless `WORKSPACE_BYTES` says otherwise. */
  workspaceBytes: 1024 ** 3,
  teamsPerWorkspace: 500,
  /** Teams shown for a member in a list. */
  teamsPerRow: 20,
  webhooksPerWorkspace: 300,
  webhookEvents: 50,
  webhookTeams: 100,
  /**
   * Waiting deliveries of one webhook. Past them it falls behind and goes on from the log as they are sent.
   */
  pendingPerWebhook: 10_000,
  /** Waiting deliveries that are made due at once: the ones that would have come first. */
  triedAtOnce: 500,
  tokensPerPrincipal: 50,
  /** Beyond this, the least recently used one ends. */
  sessionsPerMember: 20,
  /** Beyond this, the oldest one ends. */
  signInLinksPerMember: 5,
  /**
   * Sign-in links and sessions that a person gets in a day while their workspace is full: each leaves events
   * behind.
   */
  waysInWhileFull: 20,
  /** Erasures of people whose progress can be read. */
  erasures: 1_000,
  /** Each has a quota, and streams, of its own. */
  serviceAccountsPerWorkspace: 100,
  searchText: 100,
  /** Longer than the name of any IANA time zone, and than any cursor. */
  timezone: 64,
  cursor: 100,
  pageDefault: 25,
  pageMax: 100,
  /** Attempts of one webhook whose requests and responses are kept, and attempts of one delivery. */
  excerptsPerWebhook: 100,
  attemptsPerDelivery: 100,
  /** Replays of a webhook that are kept, dry runs included; beyond this, the oldest is dropped. */
  replaysPerWebhook: 1_000,
  /**
   * Replays of a webhook that begin within 24 hours, except dry runs: each may make a delivery of every
   * event.
   */
  replaysPerDay: 100,
  /**
   * Event streams open at once in one process. A workspace gets another one only while it has fewer than are
   * still free.
   */
  streamsPerPrincipal: 10,
  streamsPerProcess: 1_000,
  /** A standup's date may lie this many days back, and one day ahead. */
  daysBack: 365,
  questionsPerTeam: 10,
  questionKey: 40,
  questionLabel: 150,
  choices: 10,
  choice: 75,
  /** A text answer. All answers of a standup together are limited by `update`. */
  answer: 2_000,
  remindersPerRun: 5,
  /** Weeks between two runs of a schedule. */
  scheduleInterval: 12,
  /** Longest time after its closing for which a run takes standups, when that time has an end. */
  lateMinutes: 7 * 24 * 60,
  previewRuns: 50,
  /**
   * Days of one participation query, the entries (a person in a run) that it counts, and the entries that it
   * lists one by one.
   */
  participationDays: 366,
  participationLines: 60_000,
  participationCells: 20_000,
  /** Longest time for which a run opened by a person stays open. */
  runMinutes: 24 * 60,
  /** Days of one absence, and days from today to its beginning. */
  absenceDays: 366,
  absenceDaysAhead: 731,
  /** Absences of a member that are to come or ended less than `daysBack` days ago. */
  absencesPerMember: 500,
  reason: 200,
  blocker: 1_000,
  openBlockersPerTeam: 200,
  teamsPerSubmission: 10,
  /** Messages to the bot that make up one standup, and messages in a minute that are answered. */
  messagesPerDraft: 60,
  typedPerMinute: 20,
  /**
   * Days of one query for days off, and its distance from today in years: holidays are computed for each day.
   */
  daysOffSpan: 100,
  daysOffYears: 10,
  holidayCalendars: 50,
  /**
   * Characters of an iCalendar file, and days off that are read from it: in the last year, and in this many
   * years from the beginning of this one.
   */
  calendarFile: 60_000,
  holidayDays: 500,
  holidayYears: 6,
  /** Days for which a workspace may keep what people wrote, unless it keeps it for ever. */
  retentionDaysMin: 30,
  retentionDaysMax: 3_650,
} as const;

/** Bounds of what callers can make one process hold. docs/security-evidence.md lists them with what else can grow. */
export const processBounds = {
  connections: 10_000,
  unansweredRequests: 8,
  unreadBytes: 128 * 1024 * 1024,
  /** Pieces of one body, which may be small: 64 KiB come in some 50 packets. */
  bodyPieces: 1_024,
  /**
   * Bytes of bodies that have not arrived in full: bodies from Slack are read before their sender is known.
   */
  arrivingBytes: 64 * 1024 * 1024,
  /**
   * Requests that wait to be started: with one token, and with all tokens together that this process has not
   * yet found valid.
   */
  waitingRequests: 2_000,
  knownTokens: 10_000,
  /** Answers that are compressed at once; further ones are sent uncompressed. */
  compressions: 8,
  /** Bytes of team records that are kept, and as many of webhooks. */
  directoryBytes: 64 * 1024 * 1024,
  /** Bytes cached for plans: this many each for people, open runs, and days without a run. */
  recollectionBytes: 8 * 1024 * 1024,
  /** Bytes kept about pages of lists, to answer whether they have changed. */
  knownPageBytes: 4 * 1024 * 1024,
  /** Bytes of pages kept as they were answered a moment ago. */
  wholePageBytes: 8 * 1024 * 1024,
  /** Shapes of commits whose scripts are kept as text; there are some dozens. */
  commitScripts: 500,
  /** Bytes of log lines that wait for stdout. */
  logBytes: 8 * 1024 * 1024,
  /** Sign-ins for which identity providers are asked at a time. */
  signIns: 100,
  /** Interim (1xx) answers of a receiver before its final one. */
  interimAnswers: 5,
  /** Chunks of the body of a receiver's answer: each costs the same, however small it is. */
  answerPieces: 256,
  /** Bytes of the head of an answer. */
  answerHeadBytes: 16 * 1024,
} as const;

/** How long things are kept, in seconds. */
export const lifetimes = {
  idempotency: 24 * 3600,
  waysIn: 24 * 3600,
  /**
   * Events, deliveries, attempts, and the revisions of deleted resources, unless `RETENTION_DAYS` says
   * otherwise.
   */
  events: 30 * 24 * 3600,
  /**
   * An event's body in a process' memory: long enough for the webhooks that get it, and soon gone after an
   * erasure.
   */
  renderedBody: 2,
  /**
   * Longest time for which the log may go unread for Slack before the work that waits for Slack is given up.
   */
  idleConsumer: 24 * 3600,
  /** A delivery is given up this long after its event, whatever held it. */
  delivery: 15 * 24 * 3600,
  /** Counts of a webhook's attempts in one hour. */
  health: 26 * 3600,
  /** A replay after its end, and a replay that does not end. */
  replay: 30 * 24 * 3600,
  runningReplay: 46 * 24 * 3600,
  /** The progress of an erasure, after its last step. */
  erasure: 90 * 24 * 3600,
  tokenDefault: 90 * 24 * 3600,
  tokenMin: 60,
  tokenMax: 366 * 24 * 3600,
  /** A session of the dashboard: in all, and without being used. */
  session: 30 * 24 * 3600,
  sessionIdle: 7 * 24 * 3600,
  /** A token that a session calls the API with. */
  sessionToken: 600,
  /** Time after sign-in during which a session may use its powerful scopes. */
  confirmed: 15 * 60,
  signInLink: 600,
  /** From leaving for an identity provider to coming back. */
  signIn: 600,
  /**
   * A replaced signing key verifies until its last token has expired. The extra hour is for a token under way
   * when the key was replaced.
   */
  signingKeyAfter: (366 * 24 + 1) * 3600,
  /** The record of what a person types to the bot, after their last message. */
  typed: 48 * 3600,
  /** How long an earlier webhook secret keeps signing after a rotation. */
  secretOverlapDefault: 24 * 3600,
  secretOverlapMax: 7 * 24 * 3600,
  /** A token of a trusted issuer is valid for at most this long after it was issued: we cannot revoke it. */
  externalToken: 24 * 3600,
  /** Skew allowed between a clock that signed a token and ours. */
  tokenSkew: 5,
} as const;

/** The lifetimes that an installation, or a test that cannot wait, may choose; in seconds. */
export interface Retention {
  /** As `lifetimes.events`. */
  readonly events: number;
  /** As `lifetimes.delivery`; well below `events`, for a delivery is shown after its end. */
  readonly delivery: number;
}

export const standardRetention: Retention = {events: lifetimes.events, delivery: lifetimes.delivery};

/** Deadlines in milliseconds. */
export const deadlines = {
  /** Everything Redis does for one request, or for one step of a streamed answer. */
  request: 1_200,
  /** Each call of a job. */
  job: 5_000,
  /** Longest time for which a caller may read nothing of its answer before it is given up. */
  drain: 30_000,
} as const;

/** Event streams; times in milliseconds. */
export const streaming = {
  /** Interval at which a heartbeat is sent, and the token checked again even when nothing happens. */
  pulse: 15_000,
  /** The token is checked again before events are read when its last check is as old as this. */
  recheck: 1_000,
  /**
   * Longest time for which the store may be away before a stream is given up, and the interval of the
   * retries.
   */
  away: 30_000,
  retry: 250,
  /** Everything the store does for one step. */
  step: deadlines.request,
  /** Events read at once. */
  page: 20,
  /** Time after which a client should connect again. */
  reconnect: 2_000,
} as const;
