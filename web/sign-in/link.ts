/**
 * The sign-in link that this page was opened with; undefined for none. It stays neither in the address nor in
 * the history.
 */
export function takeLink(): string | undefined {
  const link = location.hash.slice(1);
  if (link === '') return undefined;
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  return link;
}
