/** The choice of tokens in the page's address. */
export interface TokensSearch {
  /** All members' tokens, for owners and admins; undefined: the viewer's own. */
  readonly show?: 'all' | undefined;
  /** Id of the opened token. */
  readonly token?: string | undefined;
}

export function readTokensSearch({show, token}: Record<string, unknown>): TokensSearch {
  return {
    ...(show === 'all' && {show}),
    ...(typeof token === 'string' && /^tok_\w{26}$/.test(token) && {token}),
  };
}
