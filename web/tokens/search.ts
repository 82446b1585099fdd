/** Filter and opened token, as the page's address stores them. */
export interface TokensSearch {
  /** `all`: tokens of all members, for owners and admins; undefined: the viewer's own tokens. */
  readonly show?: 'all' | undefined;
  readonly token?: string | undefined;
}

export function readTokensSearch({show, token}: Record<string, unknown>): TokensSearch {
  return {
    ...(show === 'all' && {show}),
    ...(typeof token === 'string' && /^tok_\w{26}$/.test(token) && {token}),
  };
}
