/** The address to return to after sign-in: only a path of this app, otherwise its first page. */
export function pathAfterSignIn(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(to) && !to.startsWith('/sign-in') ? to : '/';
}

export interface SignInOption {
  readonly id: string;
  readonly name: string;
  /** Whether the provider can confirm that the same person is present. */
  readonly confirms: boolean;
}

/** Ways to sign in besides links, from a meta tag that the service adds to the page. */
export function listProviders(): readonly SignInOption[] {
  const said = document.querySelector<HTMLMetaElement>('meta[name="sign-in-providers"]')?.content;
  return said === undefined || said === '' ? [] : (JSON.parse(said) as SignInOption[]);
}

/** `to`: a path below /app. With `confirms` the provider authenticates the person again. */
export function providerAddress({id}: SignInOption, to: string, confirms = false): string {
  const query = new URLSearchParams({to: `/app${to}`, ...(confirms && {confirm: '1'})});
  return `/app/sign-in/${encodeURIComponent(id)}?${query}`;
}
