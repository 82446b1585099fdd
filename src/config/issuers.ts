import ipaddr from 'ipaddr.js';
import {z} from 'zod';

/** A trusted issuer (`domain/core/access.ts`) and its settings for signing in to the dashboard. */
export type ConfiguredIssuer = {
  issuer: string;
  audience: string;
  jwksUrl: string;
  workspaceClaim?: string | undefined;
  workspaces: readonly string[];
  /** The names of service accounts, by the subject (`sub`) of the issuer's tokens. */
  serviceAccounts: ReadonlyMap<string, string>;
  signIn?: {
    /** The id in the path of the sign-in. */
    id: string;
    name: string;
    clientId: string;
  };
};

/** The settings of a trusted issuer with its client secret, which must never be shown. */
export type IssuerSettings = ConfiguredIssuer & {clientSecret?: string | undefined};

const signIn = z.strictObject({
  id: z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/),
  name: z.string().trim().min(1).max(40),
  client_id: z.string().min(1).max(500),
  client_secret: z.string().min(1).max(500).optional(),
});

const trustedIssuer = z
  .strictObject({
    issuer: z.url(),
    audience: z.string().min(1),
    jwks_url: z.url({protocol: /^https?$/}).refine((url) => isTamperProofUrl(url)),
    workspace_claim: z.string().min(1).optional(),
    workspaces: z.array(z.string().min(1)).min(1),
    service_accounts: z.record(z.string().min(1), z.string().trim().min(1).max(80)).default({}),
    sign_in: signIn.optional(),
  })
  // With several workspaces, a claim in the token must choose one of them.
  .refine(({workspace_claim: claim, workspaces}) => claim !== undefined || workspaces.length === 1)
  // The sign-in addresses are read from the issuer's own URL, so that URL must be safe too.
  .refine(({issuer, sign_in: used}) => used === undefined || isTamperProofUrl(issuer), {path: ['issuer']})
  .transform(
    (given): IssuerSettings => ({
      issuer: given.issuer,
      audience: given.audience,
      jwksUrl: given.jwks_url,
      workspaceClaim: given.workspace_claim,
      workspaces: given.workspaces,
      serviceAccounts: new Map(Object.entries(given.service_accounts)),
      ...(given.sign_in && {
        signIn: {id: given.sign_in.id, name: given.sign_in.name, clientId: given.sign_in.client_id},
        clientSecret: given.sign_in.client_secret,
      }),
    }),
  );

const problem =
  'must be a JSON array of {"issuer", "audience", "jwks_url", "workspaces"} objects, each issuer once, with https addresses (http only on loopback), and a "workspace_claim" where there are several workspaces; a "sign_in" has an "id" of small letters, digits and hyphens, a "name" and a "client_id"; see .env.example';

/** Parses the setting TRUSTED_ISSUERS. A problem names the position of the error, but no value. */
export function readIssuers(
  text: string,
): {readonly issuers: readonly IssuerSettings[]} | {readonly problem: string} {
  const read = z.array(trustedIssuer).safeParse(parseJsonOrUndefined(text));
  if (!read.success) {
    const [first] = read.error.issues;
    const location = first?.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
    return {problem: location?.length ? `${problem} (look at ${location.join('')})` : problem};
  }
  const names = new Set(read.data.map(({issuer}) => issuer));
  return names.size === read.data.length ? {issuers: read.data} : {problem};
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return host === 'localhost' || (ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback');
}

/** True for a URL whose answers cannot be changed on the way: https, or this machine. */
function isTamperProofUrl(text: string): boolean {
  return text.startsWith('https:') || isLoopback(URL.parse(text)?.hostname ?? '');
}
