import {type AppError, refusalForPeople} from '../core/errors.js';
import type {Id} from '../core/ids.js';

/** The ways to sign in, of which the setting `SIGN_IN` allows some. */
export const waysIn = ['mail', 'passkey', 'link', 'slack', 'provider'] as const;
export type WayIn = (typeof waysIn)[number];

const offSentences: Readonly<Record<WayIn, string>> = {
  mail: 'Signing in by a code is off here.',
  passkey: 'Signing in with a passkey is off here.',
  link: 'Signing in by a link is off here.',
  slack: 'Signing in with Slack is off here.',
  provider: 'Signing in with a provider is off here.',
};

/** Refuses a way to sign in that the operator has turned off. Errors: `forbidden`. */
export function requireWayIn(allowed: ReadonlySet<WayIn>, way: WayIn): void {
  if (!allowed.has(way)) throw createWayOffError(way);
}

function createWayOffError(way: WayIn): AppError {
  return refusalForPeople('forbidden', `${offSentences[way]} Choose another way.`);
}

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
