/* Every text that a person can type, and everyone who can then read it. docs/who-reads-what.md has the same table. */

export const readers = [
  'channel of the team',
  'members of the team',
  'leads of the team',
  'owners and admins',
  'everyone else in the workspace',
  'webhooks and events',
  'exports of everyone else',
] as const;
export type Reader = (typeof readers)[number];

const everybody: readonly Reader[] = readers;
/** Blockers have no export of their own. */
const exceptExports = readers.filter((reader) => !reader.startsWith('exports'));
const nobody: readonly Reader[] = [];
const leadsAlone: readonly Reader[] = ['leads of the team', 'owners and admins'];

export interface Row {
  /** The text and where it is typed. */
  readonly text: string;
  readonly readBy: readonly Reader[];
  /** What its author is told as they type it. */
  readonly told: string;
}

const asksThere = 'Post this to #platform?';
const goes = 'Goes to #platform, and to your workspace’s dashboard.';
const posted = 'Posted in #platform';
const isPrivate = 'The message you are adding is from a private conversation.';

export const table = {
  command: {text: '`/standup` and an update, in the channel of a team', readBy: everybody, told: posted},
  elsewhere: {text: 'the same in a channel of no team, before the answer', readBy: nobody, told: asksThere},
  elsewhereYes: {text: 'the same, after *Post to Platform*', readBy: everybody, told: posted},
  privately: {text: 'the same in a private channel, before the answer', readBy: nobody, told: asksThere},
  privatelyYes: {text: 'the same, after *Post to Platform*', readBy: everybody, told: posted},
  directly: {text: 'the same in a direct message, before the answer', readBy: nobody, told: asksThere},
  mention: {text: '`@Standup` and an update, in the channel of a team', readBy: everybody, told: posted},
  mentionElsewhere: {
    text: 'the same in a channel of no team, before the answer',
    readBy: nobody,
    told: asksThere,
  },
  mentionElsewhereYes: {text: 'the same, after *Post to Platform*', readBy: everybody, told: posted},
  form: {text: 'the form, submitted', readBy: everybody, told: goes},
  shortcut: {
    text: '*Add to my standup* on a private message, not submitted',
    readBy: nobody,
    told: isPrivate,
  },
  shortcutYes: {text: 'the same, submitted', readBy: everybody, told: goes},
  typed: {text: 'a message to the bot, before *Post*', readBy: nobody, told: goes},
  typedYes: {text: 'the same, after *Post*', readBy: everybody, told: posted},
  api: {text: 'an update by the API or in the dashboard', readBy: everybody, told: ''},
  blocker: {text: 'a blocker by the API or in the dashboard', readBy: exceptExports, told: ''},
  away: {
    text: '`/standup ooo` and a reason',
    readBy: leadsAlone,
    told: 'Only leads of your teams and admins',
  },
  skip: {
    text: '`/standup skip` and a reason',
    readBy: leadsAlone,
    told: 'Only leads of your teams and admins',
  },
  mentionAway: {
    text: '`@Standup ooo` and a reason',
    readBy: leadsAlone,
    told: 'Only leads of your teams and admins',
  },
  apiAway: {text: 'the reason of an absence by the API or in the dashboard', readBy: leadsAlone, told: ''},
  openAway: {
    text: '`/standup ooo` and a reason, if every team of its author has `absence_reasons` `team`',
    readBy: everybody,
    told: 'Your team can see the reason, in its channel too',
  },
} as const satisfies Readonly<Record<string, Row>>;

/** The table as it stands in the document. */
export function tableLines(): string[] {
  const rows = Object.values<Row>(table).map(({text, readBy}) => [
    text,
    ...readers.map((reader) => (readBy.includes(reader) ? 'yes' : 'no')),
  ]);
  const head = ['text', ...readers];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
