/**
 * Published limits (README and OpenAPI document). Lengths are Unicode code points unless a name says bytes.
 */
export const limits = {
  bodyBytes: 64 * 1024,
  /** What a refusal names, at the most. */
  faults: 20,
  /** Of one object in a body; none of the API has as many. */
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
  /** What a workspace may use of the store, unless `WORKSPACE_BYTES` says otherwise. */
  workspaceBytes: 1024 ** 3,
  teamsPerWorkspace: 500,
  /** Shown of a member in a list. */
  teamsPerRow: 20,
  webhooksPerWorkspace: 300,
  webhookEvents: 50,
  webhookTeams: 100,
  /**
   * Deliveries of one webhook that wait; past them it falls behind and goes on from the log as they go out.
   */
  pendingPerWebhook: 10_000,
  /** Waiting deliveries that are made due at once, those that would have come first. */
  triedAtOnce: 500,
  tokensPerPrincipal: 50,
  /** Of more the one goes that was not used for the longest time. */
  sessionsPerMember: 20,
  /** Of more the oldest goes. */
  signInLinksPerMember: 5,
  /** Sign-in links and sessions that somebody gets in a day while their workspace is full: each leaves events behind. */
  waysInWhileFull: 20,
  /** Each has a quota, and streams, of its own. */
  /** Erasures of people whose progress can be read. */
  erasures: 1_000,
  serviceAccountsPerWorkspace: 100,
  searchText: 100,
  /** Longer than the name of any IANA time zone, and than any cursor. */
  timezone: 64,
  cursor: 100,
  pageDefault: 25,
  pageMax: 100,
  /**
   * The attempts of one webhook of which is kept what went over the wire, and the attempts of one delivery.
   */
  excerptsPerWebhook: 100,
  attemptsPerDelivery: 100,
  /** Replays of a webhook that are kept, dry runs included; of more the oldest goes. */
  replaysPerWebhook: 1_000,
  /**
   * Replays of a webhook that begin within 24 hours, dry runs aside: each may make a delivery of every
   * event.
   */
  replaysPerDay: 100,
  /**
   * Event streams that are open at once, in one process. A workspace has at most as many of all as are left
   * for the others.
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
  /** A text answer; all answers of a standup together have at most `update`. */
  answer: 2_000,
  remindersPerRun: 5,
  /** Weeks between two runs of a schedule. */
  scheduleInterval: 12,
  /** How long after its closing a run may take standups, when that has an end. */
  lateMinutes: 7 * 24 * 60,
  previewRuns: 50,
  /**
   * Days of one look at participation, and how many entries of people in runs it is counted from; how many of
   * them it shows one by one.
   */
  participationDays: 366,
  participationLines: 60_000,
  participationCells: 20_000,
  /** How long a run that somebody opens may be open. */
  runMinutes: 24 * 60,
  /** Days of one absence, and how far ahead of today it may begin. */
  absenceDays: 366,
  absenceDaysAhead: 731,
  /** Those of a member that are to come or ended less than `daysBack` days ago. */
  absencesPerMember: 500,
  reason: 200,
  blocker: 1_000,
  openBlockersPerTeam: 200,
  teamsPerSubmission: 10,
  /** Messages to the bot that one standup is made of, and those of a minute that are answered. */
  typedWords: 60,
  typedPerMinute: 20,
  /** Days of one look at who is off, and how many years from today it may lie: holidays are worked out for each. */
  daysOffSpan: 100,
  daysOffYears: 10,
  holidayCalendars: 50,
  /**
   * Characters of an iCalendar file; days off that are read from it, in the last year and this many years
   * from the beginning of this one.
   */
  calendarFile: 60_000,
  holidayDays: 500,
  holidayYears: 6,
  /** A workspace keeps what people wrote for so many days, unless for ever. */
  retentionDaysMin: 30,
  retentionDaysMax: 3_650,
} as const;

/** Bounds of what callers can make one process hold. SECURITY.md lists them with what else can grow. */
export const processBounds = {
  connections: 10_000,
  unansweredRequests: 8,
  unreadBytes: 128 * 1024 * 1024,
  /** Small ones of one body: 64 KiB come in some 50 packets. */
  bodyPieces: 1_024,
  /** Of bodies that have not come whole: those of Slack are read before it is known who sends them. */
  arrivingBytes: 64 * 1024 * 1024,
  /**
   * Requests with one token that wait for a turn, and all together with tokens that this process has not yet
   * seen to be good.
   */
  waitingRequests: 2_000,
  knownTokens: 10_000,
  /** Answers that are packed at once; more go as they are. */
  compressions: 8,
  /** Records of teams that are kept, and as much of webhooks. */
  directoryBytes: 64 * 1024 * 1024,
  /** What plans remember of people, of open runs and of days without one: so much of each. */
  recollectionBytes: 8 * 1024 * 1024,
  /** What is known of pages of lists, for those who ask whether they have changed. */
  knownPageBytes: 4 * 1024 * 1024,
  /** Such pages as they were answered a moment ago. */
  wholePageBytes: 8 * 1024 * 1024,
  /** Shapes of commits whose scripts are kept as text; there are some dozens. */
  commitScripts: 500,
  /** Log lines that wait for stdout. */
  logBytes: 8 * 1024 * 1024,
  /** People whom identity providers are asked about at a time. */
  signIns: 100,
  /** Answers 1xx of a receiver before its answer. */
  interimAnswers: 5,
  /** Of the body of a receiver's answer: each chunk of it costs as much, however small it is. */
  answerPieces: 256,
  /** The head of an answer. */
  answerHeadBytes: 16 * 1024,
} as const;

/** How long things are kept, in seconds. */
export const lifetimes = {
  idempotency: 24 * 3600,
  waysIn: 24 * 3600,
  /**
   * Events, deliveries, attempts, and the revisions of what was deleted; unless `RETENTION_DAYS` says
   * otherwise.
   */
  events: 30 * 24 * 3600,
  /**
   * An event's body in a process' memory: long enough for the webhooks that get it, soon over when
   * somebody's words are erased.
   */
  renderedBody: 2,
  /** How long nobody may have read the log for Slack until what waits for Slack is given up. */
  idleReader: 24 * 3600,
  /** A delivery is given up this long after its event, whatever held it. */
  delivery: 15 * 24 * 3600,
  /** Counts of a webhook's attempts in one hour. */
  health: 26 * 3600,
  /** A replay after its end, and one that does not end. */
  replay: 30 * 24 * 3600,
  runningReplay: 46 * 24 * 3600,
  /** The progress of an erasure, after its last step. */
  erasure: 90 * 24 * 3600,
  tokenDefault: 90 * 24 * 3600,
  tokenMin: 60,
  tokenMax: 366 * 24 * 3600,
  /** A session of the dashboard: at the most, and without being used. */
  session: 30 * 24 * 3600,
  sessionIdle: 7 * 24 * 3600,
  /** A token that a session calls the API with. */
  sessionToken: 600,
  /** How long after signing in a session may do what is powerful. */
  confirmed: 15 * 60,
  signInLink: 600,
  /** From setting out for an identity provider to coming back. */
  signIn: 600,
  /**
   * A replaced signing key verifies on until its last token has expired; the hour is for a token under way
   * when it was replaced.
   */
  signingKeyAfter: (366 * 24 + 1) * 3600,
  /** The record of what somebody types to the bot, after the last word. */
  typed: 48 * 3600,
  /** How long an earlier webhook secret goes on signing after a rotation. */
  secretOverlapDefault: 24 * 3600,
  secretOverlapMax: 7 * 24 * 3600,
  /** A token of a trusted issuer is good for no longer than this after it was issued: we cannot revoke it. */
  externalToken: 24 * 3600,
  /** Skew allowed between a clock that signed a token and ours. */
  tokenSkew: 5,
} as const;

/** What an installation, or a test that cannot wait, may choose of that; in seconds. */
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
  /** How long a caller may take nothing of its answer before it is given up. */
  drain: 30_000,
} as const;

/** Event streams; times in milliseconds. */
export const streaming = {
  /** A sign of life is sent, and the token looked at again though nothing happens, this often. */
  pulse: 15_000,
  /** Before events are read the token is looked at again when the last look is as old as this. */
  recheck: 1_000,
  /** How long the store may be away before a stream is given up, and how often it is tried meanwhile. */
  away: 30_000,
  retry: 250,
  /** Everything the store does for one step. */
  step: deadlines.request,
  /** Events read at once. */
  page: 20,
  /** How soon a client should connect again. */
  reconnect: 2_000,
} as const;
