import type {Write} from '../domain/commit.js';
import {fieldError} from '../domain/errors.js';
import type {TeamDirectory} from '../domain/team.js';

/** A channel speaks for one team, so that `/standup` in it needs no choice. */
export function requireFreeChannel(directory: TeamDirectory, channel: string | null): void {
  const holder = channel === null ? undefined : directory.byChannel(channel);
  if (holder === undefined) return;
  throw fieldError(
    'validation_failed',
    '#/slack_channel_id',
    `\`slack_channel_id\` ${channel} belongs to the team "${holder.slug}" already.`,
  );
}

/** The channel's name leads to the team (drawn half of its id) from now on; null for none. */
export function linkChannel(before: string | null, after: string | null, drawn: string): Write[] {
  if (before === after) return [];
  return [
    ...(before === null ? [] : [{do: 'free-name', names: 'slack-channel', name: before} as const]),
    ...(after === null ? [] : [{do: 'take-name', names: 'slack-channel', name: after, drawn} as const]),
  ];
}
