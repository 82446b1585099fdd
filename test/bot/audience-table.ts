/*
 * Every text that a person can type, and everyone who can then read it. docs/who-reads-what.md has the same
 * table.
 */

export const audiences = [
  'channel of the team',
  'members of the team',
  'leads of the team',
  'owners and admins',
  'everyone else in the workspace',
  'webhooks and events',
  'exports of everyone else',
] as const;
export type Audience = (typeof audiences)[number];

const everybody: readonly Audience[] = audiences;
/** Blockers have no export of their own. */
const exceptExports = audiences.filter((audience) => !audience.startsWith('exports'));
const noAudience: readonly Audience[] = [];
const leadsAlone: readonly Audience[] = ['leads of the team', 'owners and admins'];

export interface ReachRow {
  /** The text, and the input that it is typed into. */
  readonly text: string;
  readonly readBy: readonly Audience[];
  /** The hint that its author gets while typing. */
  readonly hint: string;
}

const asksThere = 'Post this to #platform?';
const goes = 'Goes to #platform, and to your workspace’s dashboard.';
const posted = 'Posted in #platform';
const isPrivate = 'The message you are adding is from a private conversation.';

export const table = {
  command: {text: '`/standup` and an update, in the channel of a team', readBy: everybody, hint: posted},
  elsewhere: {
    text: 'the same in a channel of no team, before the answer',
    readBy: noAudience,
    hint: asksThere,
  },
  elsewhereYes: {text: 'the same, after *Post to Platform*', readBy: everybody, hint: posted},
  privately: {text: 'the same in a private channel, before the answer', readBy: noAudience, hint: asksThere},
  privatelyYes: {text: 'the same, after *Post to Platform*', readBy: everybody, hint: posted},
  directly: {text: 'the same in a direct message, before the answer', readBy: noAudience, hint: asksThere},
  mention: {text: '`@Standup` and an update, in the channel of a team', readBy: everybody, hint: posted},
  mentionElsewhere: {
    text: 'the same in a channel of no team, before the answer',
    readBy: noAudience,
    hint: asksThere,
  },
  mentionElsewhereYes: {text: 'the same, after *Post to Platform*', readBy: everybody, hint: posted},
  form: {text: 'the form, submitted', readBy: everybody, hint: goes},
  shortcut: {
    text: '*Add to my standup* on a private message, not submitted',
    readBy: noAudience,
    hint: isPrivate,
  },
  shortcutYes: {text: 'the same, submitted', readBy: everybody, hint: goes},
  typed: {text: 'a message to the bot, before *Post*', readBy: noAudience, hint: goes},
  typedYes: {text: 'the same, after *Post*', readBy: everybody, hint: posted},
  api: {text: 'an update by the API or in the dashboard', readBy: everybody, hint: ''},
  blocker: {text: 'a blocker by the API or in the dashboard', readBy: exceptExports, hint: ''},
  draft: {text: 'a draft by the API, before it is posted', readBy: noAudience, hint: ''},
  away: {
    text: '`/standup ooo` and a reason',
    readBy: leadsAlone,
    hint: 'Only leads of your teams and admins',
  },
  skip: {
    text: '`/standup skip` and a reason',
    readBy: leadsAlone,
    hint: 'Only leads of your teams and admins',
  },
  mentionAway: {
    text: '`@Standup ooo` and a reason',
    readBy: leadsAlone,
    hint: 'Only leads of your teams and admins',
  },
  apiAway: {text: 'the reason of an absence by the API or in the dashboard', readBy: leadsAlone, hint: ''},
  openAway: {
    text: '`/standup ooo` and a reason, if every team of its author has `absence_reasons` `team`',
    readBy: everybody,
    hint: 'Your team can see the reason, in its channel too',
  },
} as const satisfies Readonly<Record<string, ReachRow>>;

/** The table as in the document. */
export function tableLines(): string[] {
  const rows = Object.values<ReachRow>(table).map(({text, readBy}) => [
    text,
    ...audiences.map((audience) => (readBy.includes(audience) ? 'yes' : 'no')),
  ]);
  const head = ['text', ...audiences];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
