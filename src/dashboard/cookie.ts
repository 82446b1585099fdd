/** A cookie of this host alone, which no script can read. */
export interface Cookie {
  /** The value that the browser has kept; undefined for none. */
  read: (header: string | undefined) => string | undefined;
  keep: (value: string, seconds: number) => string;
  drop: () => string;
}

/** `sameSite`: whether it is sent with requests from another site; `Lax`: only with a navigation to us. */
export interface CookieSettings {
  readonly name: string;
  readonly sameSite: 'Strict' | 'Lax';
}

export const sessionCookie: CookieSettings = {name: 'standup', sameSite: 'Strict'};

/** Keeps a sign-in on its way to an identity provider and back. */
export const tripCookie: CookieSettings = {name: 'standup-signin', sameSite: 'Lax'};

/** Browsers honour `__Host-` and `Secure` on https only: on plain http they would keep no such cookie. */
export function createCookie(publicUrl: string, {name: own, sameSite}: CookieSettings): Cookie {
  const isSecure = publicUrl.startsWith('https:');
  const name = isSecure ? `__Host-${own}` : own;
  const attributes = `Path=/; HttpOnly; ${isSecure ? 'Secure; ' : ''}SameSite=${sameSite}`;
  return {
    read(header = '') {
      const pairs = header.split(';').map((pair) => pair.trim());
      return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || undefined;
    },
    keep: (value, seconds) => `${name}=${value}; Max-Age=${seconds}; ${attributes}`,
    drop: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
