/** The tokens of a page, as its address says it. */
export interface TokensSearch {
  /** Everybody's tokens, for people who run the workspace; left out: one's own. */
  readonly show?: 'all' | undefined;
  /** Id of the one that is opened. */
  readonly token?: string | undefined;
}

export function readTokensSearch({show, token}: Record<string, unknown>): TokensSearch {
  return {
    ...(show === 'all' && {show}),
    ...(typeof token === 'string' && /^tok_\w{26}$/.test(token) && {token}),
  };
}
