/**
 * Takes the sign-in link from the page's address; undefined for none. Removes it from the address and the
 * history.
 */
export function takeLink(): string | undefined {
  const link = location.hash.slice(1);
  if (link === '') return undefined;
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  return link;
}
