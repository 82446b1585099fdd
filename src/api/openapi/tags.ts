import {keptText} from '../http/shared-schemas.js';
import type {Json} from './components.js';

/**
 * The group of the requests that we send. Generators make one file for each tag: in a tag shared with our
 * operations these would be lost.
 */
export const webhookTag = 'Webhook requests';

/** The groups of operations, in the order of the reference. */
const tags: readonly (readonly [name: string, description: string])[] = [
  [
    'Standups',
    'One update by one author for one team on one date. Posted here or in Slack: the same rules, the same result.',
  ],
  [
    'Blockers',
    'What keeps somebody from going on: raised by itself or by an answer in a standup, carried until it is resolved.',
  ],
  [
    'Teams',
    'The group an update is for: a slug, a time zone that decides which day it is, perhaps a Slack channel, and its people.',
  ],
  [
    'Runs',
    'Each day on which a team posts: opened, reminded and closed by its schedule, or opened by somebody.',
  ],
  ['Members', 'The people of the workspace, with their role and their Slack user.'],
  [
    'Absences',
    'Days on which somebody takes no part: not reminded, and not missing in any report. Public holidays are chosen by each member; others come from calendars of the workspace.',
  ],
  [
    'Webhooks',
    'Where to send which events. What a receiver gets is in the section of webhook requests; how to verify it is in the guide.',
  ],
  [
    'Deliveries',
    'One event to one webhook, and what became of it: its state, and its attempts with what the receiver answered.',
  ],
  [
    'Replays',
    'Events of some time, sent to one webhook again: those that failed, those never queued, or all. In the background, behind what is new.',
  ],
  [
    'Events',
    `Every change, in the order in which it happened, without a gap: \`sequence\` counts the events of a workspace. The same bytes as in a webhook; ${keptText}.`,
  ],
  [
    'Tokens',
    'Access tokens: named, scoped, expiring, revoked at once. Never wider than the token that made them.',
  ],
  ['Workspace', 'The tenant that everything belongs to.'],
  ['Slack', 'How the workspace is connected to Slack, and what is not shown there.'],
  ['Me', 'Who the access token speaks for.'],
  [webhookTag, 'What a webhook is sent: one request for each event.'],
];

/** The tags in use, in order; one that is not described comes last. */
export function describeTags(used: ReadonlySet<string>): Json[] {
  const described = tags
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({name, description}));
  const others = [...used].filter((name) => !tags.some(([known]) => known === name));
  return [...described, ...others.map((name) => ({name}))];
}
