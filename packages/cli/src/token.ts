/** Returns the holder that a token names. The token is not verified: the service does that. */
export function readSubject(token: string): string | null {
  return readClaim(token, 'sub');
}

export function readClaim(token: string, name: 'sub' | 'jti'): string | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const value = (claims as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
