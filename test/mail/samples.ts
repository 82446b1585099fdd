import type {ComposedMail, MailContent} from '../../src/domain/mail/mail-content.js';
import {asId} from '../support/ids.js';
import {languages} from '../../src/domain/core/compiled/languages.js';

const url =
  'https://standup.example.com/app/join#ws_0123.abcdefghijklmnop.0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';

/** A mail of each kind. It does not compile if one lacks. */
export const contents: {readonly [K in MailContent['kind']]: MailContent & {readonly kind: K}} = {
  invite: {
    kind: 'invite',
    workspace: 'Example',
    maker: {name: 'Ada', email: 'ada@example.com'},
    teams: ['Platform', 'Sales'],
    url,
    expiresAt: '2026-12-03T22:00:00.000Z',
  },
  sign_in_code: {kind: 'sign_in_code', purpose: 'sign_in', workspace: 'Example', code: 'K7QM3XTD', url},
  reminder: {
    kind: 'reminder',
    name: 'Grace',
    moment: 'opening',
    teams: [
      {name: 'Platform', closesAt: '2026-11-26T10:00:00.000Z'},
      {name: 'Sales', closesAt: '2026-11-26T11:30:00.000Z'},
    ],
    minutesLeft: 120,
    question: null,
    blockers: [{text: 'No access to the staging server', team: 'Platform', since: '2026-11-23'}],
    blockersUrl: 'https://standup.example.com/app/blockers?blocker=blk_1',
    url: 'https://standup.example.com/app/t/platform?write=platform',
    laterUrl: 'https://standup.example.com/app/reminder#sealed',
  },
  report: {
    kind: 'report',
    team: 'Platform',
    date: '2026-11-26',
    posted: 3,
    expected: 4,
    missing: ['Lin'],
    missingCount: 1,
    away: ['Ada'],
    url: 'https://standup.example.com/app/t/platform?date=2026-11-26',
  },
  week: {
    kind: 'week',
    team: 'Platform',
    monday: '2026-11-23',
    posted: 18,
    expected: 20,
    runs: 5,
    raised: 2,
    resolved: 1,
    open: [{author: 'Lin', text: 'No access to the staging server'}],
    trends: {
      questions: [
        {type: 'mood', label: 'How was it?', mean: 3.84, answers: 12, change: {way: 'lower', amount: 0.34}},
      ],
      hours: 4.6,
    },
    url: 'https://standup.example.com/app/t/platform/weeks/2026-11-23',
  },
  lead_summary: {
    kind: 'lead_summary',
    summary: {
      team: {id: asId('team_0123'), slug: 'platform', name: 'Platform'},
      date: '2026-11-26',
      posted: 2,
      expected: 4,
      missing: ['Lin', 'Grace'],
      away: ['Ada'],
      blockers: [
        {id: asId('blk_0123'), author: 'Lin', text: 'No access to the staging server', days: 3, owner: 'Ada'},
        {id: asId('blk_0124'), author: 'Grace', text: 'The build fails', days: 0, owner: null},
      ],
    },
    url: 'https://standup.example.com/app/t/platform?date=2026-11-26',
  },
  passkey_added: {
    kind: 'passkey_added',
    workspace: 'Example',
    passkey: 'Chrome on macOS',
    at: '2026-11-26T13:02:00.000Z',
    url: 'https://standup.example.com/app/sessions',
  },
  address_changed: {
    kind: 'address_changed',
    workspace: 'Example',
    address: 'g…@example.com',
    at: '2026-11-26T13:02:00.000Z',
    url: 'https://standup.example.com/app',
  },
  joined: {
    kind: 'joined',
    workspace: 'Example',
    name: 'Grace',
    teams: ['Platform'],
    url: 'https://standup.example.com/app/people/mem_0123',
  },
  inbox: {
    kind: 'inbox',
    reason: 'thread',
    by: 'Grace',
    author: 'Ada',
    team: 'Platform',
    date: '2026-11-23',
    excerpt: 'On it: the queue was full.',
    blocker: null,
    unread: 3,
    url: 'https://standup.example.com/app/history?standup=std_0123',
  },
  webhook: {
    kind: 'webhook',
    webhook: 'Tickets (hooks.example.com)',
    state: {failingSince: '2026-11-24T02:00:00.000Z', until: '2026-11-29T02:00:00.000Z'},
    url: 'https://standup.example.com/app/webhooks/wh_0123',
  },
};

const all: readonly MailContent[] = [
  ...Object.values(contents),
  ...(['join', 'confirm'] as const).map((purpose) => ({...contents.sign_in_code, purpose})),
];

/** Each mail in each language. */
export const samples: readonly ComposedMail[] = languages.flatMap((language) =>
  all.map((content) => ({
    content,
    language,
    timezone: 'Europe/Berlin',
    stopUrl: 'https://standup.example.com/app/unsubscribe/sealed',
  })),
);

/** Replaces every text that a person or a program chose, but no id and no address. */
export function replaceNames(mail: ComposedMail, text: string): ComposedMail {
  const kept = new Set([
    'kind',
    'url',
    'laterUrl',
    'blockersUrl',
    'id',
    'slug',
    'since',
    'expiresAt',
    'closesAt',
    'date',
    'monday',
    'code',
    'purpose',
    'email',
    'at',
    'failingSince',
    'until',
    'moment',
    'reason',
  ]);
  const replace = (part: unknown, name = ''): unknown => {
    if (kept.has(name)) return part;
    if (typeof part === 'string') return text;
    if (Array.isArray(part)) return part.map((item) => replace(item));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, replace(value, key)]));
  };
  return {...mail, content: replace(mail.content) as MailContent};
}
