/** Where somebody was when they had to sign in: a place of this app, or its first page. */
export function placeAfter(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(to) && !to.startsWith('/sign-in') ? to : '/';
}

export interface Provider {
  readonly id: string;
  readonly name: string;
  /** Whether it can confirm that it is still the same person. */
  readonly confirms: boolean;
}

/** Ways in besides links, as the service says them in its page. */
export function listProviders(): readonly Provider[] {
  const said = document.querySelector<HTMLMetaElement>('meta[name="sign-in-providers"]')?.content;
  return said === undefined || said === '' ? [] : (JSON.parse(said) as Provider[]);
}

/** `to`: below /app. With `confirms` the provider asks again who it is. */
export function providerAddress({id}: Provider, to: string, confirms = false): string {
  const query = new URLSearchParams({to: `/app${to}`, ...(confirms && {confirm: '1'})});
  return `/app/sign-in/${encodeURIComponent(id)}?${query}`;
}
