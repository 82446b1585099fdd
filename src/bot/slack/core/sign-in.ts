import {AppError} from '../../../domain/core/errors.js';
import {SignInRefused, type VouchedMember} from '../../../domain/tokens/sign-in.js';
import type {SlackOrigin} from '../../../domain/slack/slack-installation.js';
import {SlackAway} from './profiles.js';
import {NotServed, type SlackIdentities} from './slack-identities.js';

/** Finds the member who signed in through Slack; a new person becomes a member. Errors: `SignInRefused`. */
export type FindSignedIn = (origin: SlackOrigin, user: string, deadline: number) => Promise<VouchedMember>;

export function createSignedInMemberFinder({
  findSlackWorkspace,
  admitLookedAt,
}: SlackIdentities): FindSignedIn {
  return async function findSignedIn(origin, user, deadline) {
    try {
      const slackWorkspace = await findSlackWorkspace(origin, deadline);
      const {principal} = await admitLookedAt(slackWorkspace, {id: user, name: ''}, deadline);
      return {workspace: slackWorkspace.workspace, member: principal.id};
    } catch (error) {
      throw toSignInRefusal(error);
    }
  };
}

function toSignInRefusal(error: unknown): unknown {
  if (error instanceof NotServed) return new SignInRefused(`slack_${error.kind}`);
  if (error instanceof SlackAway) return new SignInRefused('provider_unavailable', 'no_profile');
  if (!(error instanceof AppError)) return error;
  if (error.code === 'not_found') return new SignInRefused('slack_not_connected');
  if (error.context.reason === 'unconfirmed_name') return new SignInRefused('unconfirmed_name');
  return error.context.reason === 'known_address' ? new SignInRefused('slack_known_address') : error;
}
