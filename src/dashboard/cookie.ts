/** A cookie of this host alone, which no script can read. */
export interface Cookie {
  /** What the browser has kept; undefined for nothing. */
  read: (header: string | undefined) => string | undefined;
  keep: (value: string, seconds: number) => string;
  drop: () => string;
}

/** `sameSite`: whether it comes along from another site; `Lax`: when that leads here. */
export interface CookieSettings {
  readonly name: string;
  readonly sameSite: 'Strict' | 'Lax';
}

export const sessionCookie: CookieSettings = {name: 'standup', sameSite: 'Strict'};

/** The journey of somebody to an identity provider and back. */
export const tripCookie: CookieSettings = {name: 'standup-signin', sameSite: 'Lax'};

/** Only https browsers hold to `__Host-` and `Secure`: on plain http they would keep no such cookie. */
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
