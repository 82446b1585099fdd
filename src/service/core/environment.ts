import type {PublicHolidays, ReadWorkspaceCalendarFile} from '../../domain/absences/holidays.js';
import type {PrincipalId, Scope, TokenClient, TrustedIssuer} from '../../domain/core/access.js';
import type {GenerateSuffix, Id} from '../../domain/core/ids.js';
import type {Log} from '../../domain/core/log.js';
import type {Wake} from '../../domain/core/work.js';
import type {WayIn} from '../../domain/tokens/sign-in.js';
import type {ComposedMail, RenderedMail} from '../../domain/mail/mail-content.js';
import type {PasskeyVerifier} from '../../domain/tokens/passkey.js';
import type {Zones} from '../../domain/core/zones.js';
import type {Sha256} from '../../domain/webhooks/delivery.js';
import type {TlsSettings} from '../../domain/webhooks/webhook-settings.js';
import type {Store} from '../../store/store.js';

/** The claims of a signed access token. The signer adds issuer and audience. Times are in seconds. */
export interface TokenClaims {
  readonly id: Id<'access_token'>;
  readonly subject: PrincipalId;
  readonly workspace: Id<'workspace'>;
  readonly scopes: readonly Scope[];
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** True for the API token of a dashboard session. */
  readonly session?: true;
  readonly client?: TokenClient;
}

/** Slack's answer about the token that serves a workspace. */
export interface SlackLook {
  readonly workspace: {readonly id: string; readonly name: string; readonly url: string | null} | null;
  /** The name by which people invite the bot. */
  readonly bot: string | null;
  /** The permissions that the token lacks. */
  readonly missing: readonly string[];
  readonly missingOptional: readonly string[];
  /** The reason why Slack does not accept the token: Slack's error code, or `no_answer`. */
  readonly problem: string | null;
}

/** The services' interface to Slack, which the bot implements. */
export interface SlackGateway {
  /** Asks Slack about the token of a workspace; undefined if there is no token. Never throws. */
  look: (workspace: Id<'workspace'>, deadline: number) => Promise<SlackLook | undefined>;
  /** Checks whether Slack still accepts the configured token, unless just checked. Never throws. */
  check: () => Promise<void>;
  /** Returns Slack's error code for rejecting that token, if known. */
  refusal: () => string | undefined;
  /**
   * Asks Slack whether everyone in its workspace can read a channel, which the bot then joins. `unknown`: Slack
   * gave no answer. Undefined if there is no token. Never throws.
   */
  findChannelKind: (
    workspace: Id<'workspace'>,
    channel: string,
    deadline: number,
  ) => Promise<'public' | 'private' | 'unknown' | undefined>;
  /** Revokes a token at Slack that is deleted here. Never throws. */
  revoke: (botToken: string) => Promise<void>;
}

/**
 * The connection to Slack. `token`: one Slack workspace for our workspace `workspace` (slug or id; by default
 * the only one). `oauth`: every Slack workspace that has installed the bot.
 */
export interface SlackSetup {
  readonly mode: 'token' | 'oauth';
  readonly workspace?: string | undefined;
  /** A workspace of ours (slug or id) that is kept for one Slack workspace, given by its Slack id. */
  readonly reserved?: {readonly workspace: string; readonly slackId: string} | undefined;
  /** How Slack's requests arrive: `http` if Slack calls us, `socket` over a connection that we open. */
  readonly transport: 'http' | 'socket';
  /** The address at which a Slack workspace installs the bot, with OAuth. */
  readonly installUrl?: string | undefined;
}

/** Everything that services need from outside: the store, the clock, random values, and the configuration. */
export interface ServiceEnvironment extends Store {
  /** Returns the monotonic time (ms), as used in deadlines. */
  readonly monotonic: () => number;
  /** The time between heartbeats of an open stream, in ms. */
  readonly pulse: number;
  readonly zones: Zones;
  /**
   * Resolves when the next slice of long work may run: one for each tick of the event loop, for one workspace
   * after the other, so that other work continues.
   */
  readonly nextSlice: (workspace?: Id<'workspace'>) => Promise<unknown>;
  readonly publicHolidays: PublicHolidays;
  readonly readCalendarFile: ReadWorkspaceCalendarFile;
  readonly generateSuffix: GenerateSuffix;
  readonly sha256: Sha256;
  readonly wake: Wake;
  readonly log: Log;
  /** `sent`: by SMTP. `kept`: shown in the dashboard instead, in development. Undefined: mail is off. */
  readonly mail?: 'sent' | 'kept' | undefined;
  /** The ways to sign in that are allowed and set up. */
  readonly waysIn: ReadonlySet<WayIn>;
  readonly renderMail: (mail: ComposedMail) => RenderedMail;
  /** The configured Slack connection, and access to Slack in a process with the bot. */
  readonly slack?: SlackSetup;
  readonly slackGateway?: SlackGateway;
  readonly trustedIssuers: readonly TrustedIssuer[];
  readonly signer: {
    findSigningKeyId: (deadline: number) => Promise<string>;
    /** Signs claims. The same claims and key always give the same bytes. */
    sign: (claims: TokenClaims, kid: string) => Promise<string>;
  };
  /** Verifies passkeys; undefined where browsers allow none (PUBLIC_URL). */
  readonly passkeys?: PasskeyVerifier | undefined;
  /** Returns 256 random bits in base64url. */
  readonly generateSecret: () => string;
  /** The origin in links to this service. */
  readonly publicUrl: string;
  /** Creates a signing secret, `whsec_…`, and a key pair; `kept` is its stored form. */
  readonly createSecret: () => {readonly secret: string; readonly kept: string; readonly publicKey: string};
  /** Returns why a URL may not be the target of a webhook; undefined if it may. */
  readonly checkTarget: (url: string) => string | undefined;
  /** Returns, as a sentence, why TLS settings may not be used here; undefined if they may. */
  readonly checkTls: (tls: TlsSettings) => string | undefined;
}
