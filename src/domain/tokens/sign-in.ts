import type {Id} from '../core/ids.js';

/**
 * The reasons why a person who returns from an identity provider is not signed in. The page at `/app/sign-in`
 * has a message for each, and docs/dashboard.md lists them.
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
  'other_address',
  'unconfirmed_name',
  'other_person',
  'unknown_workspace',
  'slack_not_connected',
  'slack_guest',
  'slack_stranger',
  'slack_bot',
  'slack_deactivated',
  'slack_known_address',
  'too_many_tries',
  'unavailable',
  'failed',
] as const;

export type SignInProblem = (typeof signInProblems)[number];

/** The error for a failed sign-in through an identity provider. `reason` contains no secret. */
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

/** The scopes that are requested from an identity provider. Slack's manifest has the same. */
export const signInScopes = ['openid', 'profile', 'email'] as const;

/** The member whose identity a provider has confirmed. */
export interface VouchedMember {
  readonly workspace: Id<'workspace'>;
  readonly member: Id<'member'>;
}

/** A person without an account whose address a provider has verified: an invite may make them a member. */
export interface VouchedAddress {
  readonly workspace: Id<'workspace'>;
  readonly email: string;
  /** Undefined if the provider does not give it. */
  readonly name?: string | undefined;
}
