/** Chooses the page after signing in: `to` if it is a path of this app, otherwise the first page. */
export function choosePathAfterSignIn(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(to) && !leadsToSignIn(to) ? to : '/';
}

/** Returns true for every way to write the address of the sign-in page, such as `/./Sign-in`. */
function leadsToSignIn(to: string): boolean {
  try {
    return /^\/+sign-in/i.test(decodeURIComponent(new URL(to, 'http://localhost').pathname));
  } catch {
    return true;
  }
}

export interface SignInOption {
  readonly id: string;
  readonly name: string;
  /** Whether a signed-in person can confirm their identity again with this provider. */
  readonly confirms: boolean;
}

/** Providers with which people can sign in, from a meta tag that the service adds to the page. */
export function listProviders(): readonly SignInOption[] {
  const said = document.querySelector<HTMLMetaElement>('meta[name="sign-in-providers"]')?.content;
  return said === undefined || said === '' ? [] : (JSON.parse(said) as SignInOption[]);
}

/** The address that signs in and returns to `to`, below /app. `confirms`: the person authenticates again. */
export function buildSignInUrl({id}: SignInOption, to: string, confirms = false): string {
  const query = new URLSearchParams({to: `/app${to}`, ...(confirms && {confirm: '1'})});
  return `/app/sign-in/${encodeURIComponent(id)}?${query}`;
}
