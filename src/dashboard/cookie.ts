/** The cookie that keeps a session. */
export interface SessionCookie {
  /** The pass that the browser has kept; undefined for none. */
  read(header: string | undefined): string | undefined;
  /** `seconds`: how long the session lives. */
  keep(pass: string, seconds: number): string;
  drop(): string;
}

/** Only https browsers hold to `__Host-` and `Secure`: on plain http they would keep no such cookie. */
export function createSessionCookie(publicUrl: string): SessionCookie {
  const isSecure = publicUrl.startsWith('https:');
  const name = isSecure ? '__Host-standup' : 'standup';
  const attributes = `Path=/; HttpOnly; ${isSecure ? 'Secure; ' : ''}SameSite=Strict`;
  return {
    read(header = '') {
      const pairs = header.split(';').map((pair) => pair.trim());
      return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || undefined;
    },
    keep: (pass, seconds) => `${name}=${pass}; Max-Age=${seconds}; ${attributes}`,
    drop: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
