/** A cookie that is bound to this host, and that scripts cannot read. */
export type Cookie = ReturnType<typeof createCookie>;

/** `sameSite`: `Strict` for our own pages only; `Lax` also allows navigation from other sites. */
export interface CookieSettings {
  readonly name: string;
  readonly sameSite: 'Strict' | 'Lax';
}

export const sessionCookie: CookieSettings = {name: 'standup', sameSite: 'Strict'};

/** The cookie that holds a sign-in while the person is at the identity provider. */
export const tripCookie: CookieSettings = {name: 'standup-signin', sameSite: 'Lax'};

/** The cookie that holds the challenge that a passkey signs. */
export const challengeCookie: CookieSettings = {name: 'standup-passkey', sameSite: 'Strict'};

/** Creates a cookie. `__Host-` and `Secure` are only used with https: on http, browsers refuse them. */
export function createCookie(publicUrl: string, {name: own, sameSite}: CookieSettings) {
  const isSecure = publicUrl.startsWith('https:');
  const name = isSecure ? `__Host-${own}` : own;
  const attributes = `Path=/; HttpOnly; ${isSecure ? 'Secure; ' : ''}SameSite=${sameSite}`;
  return {
    /** Returns the cookie's value from a `Cookie` header; undefined if it is missing. */
    read(header: string | undefined = ''): string | undefined {
      const pairs = header.split(';').map((pair) => pair.trim());
      return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || undefined;
    },
    keep: (value: string, seconds: number): string => `${name}=${value}; Max-Age=${seconds}; ${attributes}`,
    drop: (): string => `${name}=; Max-Age=0; ${attributes}`,
  };
}
