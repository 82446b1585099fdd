// Settings of the identity providers: Slack and trusted issuers, each with how it identifies a member.
import type {ExternalIdentity, TrustedIssuer} from '../domain/core/access.js';
import {SignInRefused, type VouchedAddress, type VouchedMember} from '../domain/tokens/sign-in.js';
import type {SlackOrigin} from '../domain/slack/slack-installation.js';
import type {Claims, ProviderSettings} from './identity-provider.js';

export interface SlackWay {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Another URL than that of Slack's Web API, for tests. */
  readonly apiUrl: string | undefined;
  readonly findSignedIn: (origin: SlackOrigin, user: string, deadline: number) => Promise<VouchedMember>;
}

/**
 * Settings for Sign in with Slack. It uses a client secret, since Slack offers PKCE only to apps without one.
 * It does not report when a person proved their identity: its `auth_time` is the time of the answer.
 * Slack: https://docs.slack.dev/authentication/sign-in-with-slack
 */
export function createSlackProviderSettings({
  clientId,
  clientSecret,
  apiUrl,
  findSignedIn,
}: SlackWay): ProviderSettings {
  const {origin: issuer} = new URL(apiUrl ?? 'https://slack.com');
  const jwksUrl = `${issuer}/openid/connect/keys`;
  return {
    id: 'slack',
    name: 'Slack',
    confirms: false,
    usesPkce: false,
    issuer,
    clientId,
    clientSecret,
    jwksUrl,
    metadata: {
      issuer,
      authorization_endpoint: `${issuer}/openid/connect/authorize`,
      token_endpoint: `${issuer}/api/openid.connect.token`,
      userinfo_endpoint: `${issuer}/api/openid.connect.userInfo`,
      jwks_uri: jwksUrl,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    },
    // Slack makes its people members, and an invite changes no role of a member.
    admits: (_, role) => role === 'member',
    async findMember({claims, askMore}, deadline) {
      const team = readClaimedId(claims, 'https://slack.com/team_id', /^T[A-Z0-9]{2,20}$/);
      const user = readClaimedId(claims, 'https://slack.com/user_id', /^[UW][A-Z0-9]{2,20}$/);
      if (team === undefined || user === undefined) throw new SignInRefused('wrong_answer', 'no Slack ids');
      const find = (profile: Claims) =>
        findSignedIn({team, ...readSlackOrganisation(profile)}, user, deadline);
      return find(claims).catch(async (error: unknown) => {
        const isStrange = error instanceof SignInRefused && error.problem === 'slack_not_connected';
        if (!isStrange || readSlackOrganisation(claims).enterprise !== undefined) throw error;
        // The bot may be installed for a whole organisation, which the ID token may not name.
        const more = await askMore();
        if (readSlackOrganisation(more).enterprise === undefined) throw error;
        return find(more);
      });
    },
  };
}

function readSlackOrganisation(claims: Claims): Pick<SlackOrigin, 'enterprise' | 'orgWide'> {
  return {
    enterprise: readClaimedId(claims, 'https://slack.com/enterprise_id', /^E[A-Z0-9]{2,20}$/),
    orgWide: false,
  };
}

function readClaimedId(claims: Claims, name: string, pattern: RegExp): string | undefined {
  const value = claims[name];
  return typeof value === 'string' && pattern.test(value) ? value : undefined;
}

export interface IssuerWay {
  readonly rules: Pick<TrustedIssuer, 'issuer' | 'jwksUrl' | 'workspaces' | 'workspaceClaim'>;
  readonly signIn: {readonly id: string; readonly name: string; readonly clientId: string};
  readonly clientSecret: string | undefined;
  readonly findVouched: (
    identity: ExternalIdentity,
    deadline: number,
  ) => Promise<VouchedMember | VouchedAddress>;
}

/** Settings for a trusted issuer, which identifies a person by their verified email address. */
export function createIssuerProviderSettings({
  rules,
  signIn,
  clientSecret,
  findVouched,
}: IssuerWay): ProviderSettings {
  const {issuer, jwksUrl, workspaces, workspaceClaim} = rules;
  return {
    ...signIn,
    confirms: true,
    usesPkce: true,
    issuer,
    clientSecret,
    jwksUrl,
    admits: ({id, slug}) => workspaces.some((one) => one === id || one.toLowerCase() === slug),
    async findMember({claims, askMore}, deadline) {
      const hasAll = typeof claims['email'] === 'string' && claims['email_verified'] !== undefined;
      const profile = hasAll ? claims : await askMore();
      // The email address and `email_verified` must come from the same answer.
      const {email, email_verified: isVerified, name} = profile;
      const workspace =
        workspaceClaim === undefined ? undefined : (claims[workspaceClaim] ?? profile[workspaceClaim]);
      const identity = {
        issuer,
        subject: String(claims['sub']),
        ...(typeof email === 'string' && isVerified === true && {email}),
        ...(typeof workspace === 'string' && {workspace}),
      };
      const vouched = await findVouched(identity, deadline);
      return {...vouched, ...(typeof name === 'string' && {name})};
    },
  };
}
