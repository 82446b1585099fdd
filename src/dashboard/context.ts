import type {IncomingMessage, ServerResponse} from 'node:http';
import type {PrincipalId} from '../domain/core/access.js';
import type {AppError} from '../domain/core/errors.js';
import type {Id} from '../domain/core/ids.js';
import type {Log} from '../domain/core/log.js';
import type {Meter} from '../domain/core/meter.js';
import type {QuotaClaim} from '../domain/core/quota.js';
import type {Invites} from '../service/invites/invites.js';
import type {WayIn} from '../domain/tokens/sign-in.js';
import type {DeviceLogins} from '../service/tokens/device-logins.js';
import type {Passkeys} from '../service/tokens/passkeys.js';
import type {LinkActions} from '../service/mail/link-actions.js';
import type {Sessions} from '../service/tokens/sessions.js';
import type {SignInCodes} from '../service/tokens/sign-in-codes.js';
import type {DashboardRequest} from './answer.js';
import type {BuiltApp} from './built-app.js';
import type {IdentityProvider} from './identity-provider.js';

/**
 * A part of the service that an installation may lack. `mail-kept`: mails are shown, and not sent.
 * web/parts/features.ts reads it.
 */
export type DashboardFeature = 'passkeys' | 'mail' | 'mail-kept' | 'codes' | 'links' | 'push';

/** Everything that the pages at `/app` need from their process. */
export interface DashboardContext {
  readonly publicUrl: string;
  /** The built dashboard; undefined when web/ is not built. The page then explains how to build it. */
  readonly app: BuiltApp | undefined;
  /** Creates a nonce for each page, which allows the styles of the app's components. */
  readonly generateNonce: () => string;
  /** True if `Accept-Encoding` allows a compression. */
  readonly takesCoding: (acceptEncoding: string | undefined, coding: 'br' | 'gzip') => boolean;
  readonly sessions: Sessions;
  readonly invites: Invites;
  readonly codes: SignInCodes;
  /** Counts an asked code, which may cost a mail. Returns the refusal once there were too many from a network. */
  readonly countAskedCode: (address: string | undefined, deadline: number) => Promise<AppError | undefined>;
  readonly deviceLogins: DeviceLogins;
  /** Counts a started sign-in of a program. Returns the refusal once there were too many from a network. */
  readonly countDeviceLogin: (address: string | undefined, deadline: number) => Promise<AppError | undefined>;
  /** Counts a program's question for its token. Returns the refusal once there were too many from a network. */
  readonly countDevicePoll: (address: string | undefined, deadline: number) => Promise<AppError | undefined>;
  /** Verifies all of an access token of this installation except its revocation. Errors: `invalid_token`. */
  readonly verifyToken: (token: string) => Promise<{
    readonly id: Id<'access_token'>;
    readonly subject: PrincipalId;
    readonly workspace: Id<'workspace'>;
  }>;
  readonly passkeys: Passkeys;
  readonly mailLinks: LinkActions;
  /** Waits for a turn of the processor. Known sessions never wait behind unknown ones. */
  readonly pace: (cookie: string | undefined) => Promise<void>;
  readonly remember: (cookie: string) => void;
  /** Waits for a slot before the store is used, like requests of the API. */
  readonly enter: (workspace: Id<'workspace'>, timeoutMs: number) => (() => void) | Promise<() => void>;
  /** Counts a failed authentication from an address. Returns the refusal once there were too many of them. */
  readonly countFailure: (address: string | undefined, deadline: number) => Promise<AppError | undefined>;
  readonly rateLimits: QuotaClaim['limits'];
  readonly readJson: (request: IncomingMessage) => Promise<unknown>;
  /** Refuses a method that a path does not support. */
  readonly refuseMethod: (
    request: DashboardRequest,
    response: ServerResponse,
    known: readonly string[],
  ) => void;
  readonly chooseRequestId: (request: IncomingMessage) => string;
  /** The headers of answers that contain data. */
  readonly dataHeaders: Readonly<Record<string, string>>;
  readonly meter: Meter;
  readonly log: Log;
  readonly signIn: SignInContext;
  /** True if the installation has a bot in Slack. Otherwise pages offer no sign-in through Slack. */
  readonly hasSlack: boolean;
  /** The ways to sign in that are allowed and set up. */
  readonly waysIn: ReadonlySet<WayIn>;
  /** Names of the parts that this installation has set up, for the page. */
  readonly features: readonly DashboardFeature[];
}

/** The parts of the context that serve sign-in through an identity provider. */
export interface SignInContext {
  readonly providers: readonly IdentityProvider[];
  /** Encrypts the state of a sign-in for a cookie, so that no one can read or change it. */
  readonly trips: {encrypt: (text: string) => string; decrypt: (encrypted: string) => string};
  /** Encrypts the challenge for a passkey for a cookie. */
  readonly challenges: {encrypt: (text: string) => string; decrypt: (encrypted: string) => string};
  /** Marks a redirect back from a provider, or a challenge, as used. Returns false if it was already used. */
  readonly takeReturn: (hash: string, deadline: number) => Promise<boolean>;
  /** Counts redirects back and passkeys that have signed. Returns the refusal of too many from a network. */
  readonly countReturn: (address: string | undefined, deadline: number) => Promise<AppError | undefined>;
  readonly now: () => number;
  /** Creates 256 random bits in base64url. */
  readonly generateSecret: () => string;
}
