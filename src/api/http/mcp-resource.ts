import type {Scope} from '../../domain/core/access.js';

export const mcpPath = '/mcp';
export const mcpMetadataPath = '/.well-known/oauth-protected-resource/mcp';

/** The scopes that an assistant of a person asks for. None of them manages the workspace. */
const scopesOfPeople: readonly Scope[] = [
  'standups:read',
  'standups:write',
  'teams:read',
  'members:read',
  'members:write',
];

interface McpSite {
  readonly publicUrl: string;
  /** The addresses of the trusted issuers of access tokens. */
  readonly issuers: readonly string[];
}

/** Describes who issues tokens for /mcp (RFC 9728). */
export function describeMcpResource({publicUrl, issuers}: McpSite) {
  return {
    resource: `${publicUrl}${mcpPath}`,
    authorization_servers: issuers,
    scopes_supported: scopesOfPeople,
    bearer_methods_supported: ['header'],
  };
}

/**
 * Returns the parameters that `WWW-Authenticate` adds at /mcp. Without an issuer there is none: a client that
 * reads them would look for a sign-in page that does not exist.
 */
export function createMcpChallenge({publicUrl, issuers}: McpSite): string {
  if (issuers.length === 0) return '';
  return `resource_metadata="${publicUrl}${mcpMetadataPath}", scope="${scopesOfPeople.join(' ')}"`;
}
