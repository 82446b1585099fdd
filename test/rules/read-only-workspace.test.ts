import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, it} from '@jest/globals';

/**
 * The decisions of scripts outside commits about a read-only workspace. Commits are refused, unless they `finish`
 * work.
 * - `refuses`: it checks the head, because it begins something outside, moves a position, or serves a person.
 * - `finishes`: it records, renews or ends what was in progress. An export waits for that.
 * - `in turns`: only turns of background work run it, and those pass a read-only workspace by.
 * - `passing`: it writes counts and limits of minutes at most, or a copy of what Slack knows, or a heartbeat.
 * - `global`: it writes no key of a workspace.
 * - `switch`: it makes the workspace read-only, ends that, or moves it.
 */
const decisions: Readonly<Record<string, string>> = {
  'adopt-installation.lua': 'global',
  'begin-import.lua': 'switch',
  'begin-removal.lua': 'switch',
  // It writes the number of the last event again as it is.
  'commit/read-kept-reply.lua': 'passing',
  'core/call-when-full.lua': 'in turns',
  'core/clear-slack-work.lua': 'in turns',
  'core/correct-due-index.lua': 'global',
  'core/create-installation.lua': 'global',
  'core/end-channel-lease.lua': 'in turns',
  'core/end-delivery-leases.lua': 'in turns',
  'core/freeze-workspace.lua': 'switch',
  'core/hold-scheduler.lua': 'global',
  'core/note-due-workspaces.lua': 'global',
  'core/note-heartbeat.lua': 'global',
  'core/note-process.lua': 'global',
  'core/note-public-url.lua': 'global',
  'core/probe-store.lua': 'global',
  'core/raise-format.lua': 'global',
  'core/remove-worker.lua': 'global',
  'core/thaw-workspace.lua': 'switch',
  'events/add-consumer.lua': 'passing',
  'events/note-consumer-failure.lua': 'in turns',
  'events/remove-caught-up-consumer.lua': 'in turns',
  'events/remove-idle-consumer.lua': 'in turns',
  'events/trim-events.lua': 'in turns',
  'finish-import.lua': 'switch',
  'import-part.lua': 'switch',
  'mail/claim-mail.lua': 'refuses',
  'mail/hold-mail.lua': 'finishes',
  'note-export.lua': 'switch',
  'note-import.lua': 'switch',
  'prompts/make-prompts-due.lua': 'in turns',
  'prompts/move-prompt.lua': 'in turns',
  'prompts/note-unreachable.lua': 'finishes',
  // It encrypts the same values again.
  'replace-encrypted-value.lua': 'passing',
  'slack/begin-message.lua': 'finishes',
  'slack/claim-channel.lua': 'refuses',
  'slack/claim-slack-workspace.lua': 'global',
  'slack/drop-team-rest.lua': 'in turns',
  'slack/forget-slack-user.lua': 'in turns',
  'slack/keep-slack-profile.lua': 'passing',
  'slack/note-public-channel.lua': 'passing',
  'slack/note-rate-limit.lua': 'passing',
  'slack/note-trouble.lua': 'finishes',
  'slack/park-work.lua': 'in turns',
  'slack/postpone-work.lua': 'in turns',
  'slack/read-event.lua': 'refuses',
  'slack/read-notice.lua': 'refuses',
  'slack/read-trouble.lua': 'refuses',
  'slack/record-outcome.lua': 'finishes',
  'slack/refresh-trouble.lua': 'finishes',
  'slack/renew-channel.lua': 'finishes',
  'slack/replace-team-rest.lua': 'in turns',
  'slack/request-refreshes.lua': 'in turns',
  'slack/resume-channel.lua': 'refuses',
  // It follows the commit that has made the team.
  'slack/save-team-rest.lua': 'finishes',
  'slack/take-call-slot.lua': 'passing',
  'slack/take-team-rest.lua': 'in turns',
  'tokens/admit-requests.lua': 'passing',
  'tokens/approve-device-login.lua': 'global',
  'tokens/ask-sign-in-code.lua': 'global',
  'tokens/check-token.lua': 'passing',
  'tokens/count-failure.lua': 'global',
  'tokens/decide-device-login.lua': 'global',
  'tokens/poll-device-login.lua': 'global',
  'tokens/rotate-signing-key.lua': 'global',
  'tokens/start-device-login.lua': 'global',
  'tokens/take-sign-in-code.lua': 'global',
  'tokens/try-user-code.lua': 'global',
  'tokens/write-token-use.lua': 'refuses',
  'webhooks/advance-replay.lua': 'refuses',
  'webhooks/catch-up-webhook.lua': 'refuses',
  'webhooks/claim-deliveries.lua': 'refuses',
  'webhooks/complete-replay.lua': 'in turns',
  'webhooks/create-delivery.lua': 'refuses',
  'webhooks/expire-deliveries.lua': 'in turns',
  'webhooks/fan-out-events.lua': 'refuses',
  'webhooks/renew-leases.lua': 'finishes',
  'webhooks/trim-deliveries.lua': 'in turns',
  'webhooks/trim-replays.lua': 'in turns',
  'webhooks/wait-for-replay.lua': 'in turns',
  'webhooks/withdraw-replay.lua': 'in turns',
  'workspaces/correct-bytes.lua': 'refuses',
  'workspaces/create-workspace.lua': 'switch',
  'workspaces/measure-bytes.lua': 'global',
  'workspaces/release-slug.lua': 'global',
};

const folder = 'src/store';
const scripts = readdirSync(folder, {recursive: true, encoding: 'utf8'})
  .filter((name) => name.endsWith('.lua') && !/\/(?:include|steps)\//.test(name))
  .map((name) => ({name, text: readFileSync(path.join(folder, name), 'utf8')}))
  .filter(({text}) => !text.startsWith('#!lua flags=no-writes\n'))
  .toSorted((one, other) => (one.name < other.name ? -1 : 1));

it('each script that writes outside a commit has a decision for read-only workspaces', () => {
  expect(Object.keys(decisions)).toEqual(scripts.map(({name}) => name));
});

const usesSwitch = [
  'begin-removal.lua',
  'core/freeze-workspace.lua',
  'core/thaw-workspace.lua',
  'note-export.lua',
];

it('each script that refuses in a read-only workspace reads that from the head', () => {
  const required = readFileSync(path.join(folder, 'slack/include/require-next.lua'), 'utf8');
  for (const {name, text} of scripts) {
    const whole = text.includes('"include/require-next"') ? required + text : text;
    expect({name, reads: whole.includes("'frozen'")}).toEqual({
      name,
      reads: decisions[name] === 'refuses' || usesSwitch.includes(name),
    });
  }
});
