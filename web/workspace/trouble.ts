import type {SlackTrouble} from '../api/schema.ts';

const reasons: Readonly<Record<string, ChannelProblem>> = {
  not_in_channel: 'not_in_channel',
  channel_not_found: 'channel_not_found',
  is_archived: 'is_archived',
  channel_is_public: 'channel_is_public',
  missing_scope: 'missing_scope',
  not_authed: 'token',
  invalid_auth: 'token',
  account_inactive: 'token',
  token_revoked: 'token',
  token_expired: 'token',
  not_allowed_token_type: 'token',
};

export type ChannelProblem =
  | 'not_in_channel'
  | 'channel_not_found'
  | 'is_archived'
  | 'channel_is_public'
  | 'missing_scope'
  | 'token'
  | 'other';

/** Returns the kind of problem that a Slack error code stands for. The page has advice for each kind. */
export function findChannelProblem(code: string): ChannelProblem {
  return Object.hasOwn(reasons, code) ? (reasons[code] ?? 'other') : 'other';
}

/** Whether a retry can help: posts to the channel are still waiting, or the service has given them up. */
export function canRetryPosts({state, given_up: lost}: Pick<SlackTrouble, 'state' | 'given_up'>): boolean {
  return state === 'open' || lost.standups + lost.reports > 0;
}
