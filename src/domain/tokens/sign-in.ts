import type {Id} from '../core/ids.js';

/**
 * Reasons why a person sent back by an identity provider is not signed in. The page at `/app/sign-in` has a
 * message for each; docs/dashboard.md lists them.
 */
export const signInProblems = [
  'cancelled',
  'expired',
  'not_confirmed',
  'unknown_provider',
  'provider_refused',
  'provider_unavailable',
  'wrong_answer',
  'clock',
  'email_not_verified',
  'unknown_person',
  'unconfirmed_name',
  'unknown_workspace',
  'slack_not_connected',
  'slack_guest',
  'slack_stranger',
  'slack_bot',
  'slack_known_address',
  'too_many_tries',
  'unavailable',
  'failed',
] as const;

export type SignInProblem = (typeof signInProblems)[number];

/** A sign-in by an identity provider that ends without a session. `reason`: for the log, without secrets. */
export class SignInRefused extends Error {
  readonly problem: SignInProblem;
  readonly reason: string | undefined;

  constructor(problem: SignInProblem, reason?: string, options?: {readonly cause?: unknown}) {
    super(problem, options);
    this.name = 'SignInRefused';
    this.problem = problem;
    this.reason = reason;
  }
}

/** Scopes that an identity provider is asked for; the manifest for Slack has the same. */
export const signInScopes = ['openid', 'profile', 'email'] as const;

/** The member that an identity provider has vouched for. */
export interface VouchedMember {
  readonly workspace: Id<'workspace'>;
  readonly member: Id<'member'>;
}
