import {keptText} from '../http/shared-schemas.js';
import type {JsonObject} from './components.js';

/** The tag of the requests that webhooks get. Generators would lose them in a tag with other operations. */
export const webhookTag = 'Webhook events';

/** The groups of operations, in the order of the API reference. */
const tags: readonly (readonly [name: string, description: string])[] = [
  [
    'Standups',
    'One update by one author for one team on one date. The same rules apply to standups posted by API and in Slack.',
  ],
  [
    'Drafts',
    'What programs have prepared for the next standup of a member, in parts by source. Only the member reads all parts, and only the member posts.',
  ],
  [
    'Blockers',
    'Something that prevents a member from continuing their work. It is raised directly or by an answer in a standup, and stays open until it is resolved.',
  ],
  ['Reactions', 'The emoji with which members and programs react to a standup, without a text.'],
  [
    'Comments',
    'What people answer to a standup: one flat thread for each. Everyone who reads the standup reads it, and may write in it.',
  ],
  [
    'Imports',
    'Standups from another product, added by rows. They appear in lists, searches and exports as history: no one is notified.',
  ],
  [
    'Teams',
    'The group an update is for. It has a slug, a time zone that decides which day it is, an optional Slack channel, and members.',
  ],
  [
    'Runs',
    'Each day on which a team posts. The schedule opens a run, sends its reminders and closes it; a caller can also open one.',
  ],
  ['Members', 'The members of the workspace, with their role and their Slack user.'],
  [
    'Invites',
    'An offer to join the workspace and some of its teams: for one e-mail address, which gets a mail, or a link for several people, which its creator passes on.',
  ],
  [
    'Mails',
    'What became of each mail: its address, and whether the mail server accepted it. Texts are not kept.',
  ],
  [
    'Absences',
    'Days on which a member is off: they are not reminded, and no report counts them as missing. Each member chooses their public holidays; other holidays come from calendars of the workspace.',
  ],
  [
    'Webhooks',
    'Subscriptions to events. The section of webhook events shows what a receiver gets; the guide explains how to verify it.',
  ],
  [
    'Deliveries',
    'One event sent to one webhook, with its state, its attempts and the responses of the receiver.',
  ],
  [
    'Replays',
    'Events of a period, sent to one webhook again: those that failed, those never queued, or all. A replay runs in the background, behind new events.',
  ],
  [
    'Events',
    `Every change, in the order in which it happened, without a gap. \`sequence\` counts the events of a workspace. An event has the same bytes as in a webhook, and is ${keptText}.`,
  ],
  [
    'Tokens',
    'Access tokens have a name, scopes and an expiry, and can be revoked at once. A token never has more scopes than the token that created it.',
  ],
  [
    'Device logins',
    'Programs without a browser that wait for a person to approve their sign-in (RFC 8628). The program starts it by `POST /app/device`; the person types its code at `/app/device`, or decides here.',
  ],
  [
    'Passkeys',
    'WebAuthn credentials with which members sign in to the dashboard. Only a session of the dashboard can use these operations, within 15 minutes after signing in: a passkey would outlive every access token.',
  ],
  ['Workspace', 'The tenant that every resource belongs to.'],
  ['Slack', 'The connection of the workspace to Slack, and the channels with errors.'],
  ['Me', 'The holder of the access token.'],
  [webhookTag, 'The requests sent to a webhook: one for each event.'],
];

/** Returns the used tags in order. A tag without a description comes last. */
export function describeTags(used: ReadonlySet<string>): JsonObject[] {
  const described = tags
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({name, description}));
  const others = [...used].filter((name) => !tags.some(([known]) => known === name));
  return [...described, ...others.map((name) => ({name}))];
}
