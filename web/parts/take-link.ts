/**
 * Returns the sign-in link, or the link of an invite, in the page's address; undefined if there is none.
 * Removes it from the address and the browser's history.
 */
export function takeLink(): string | undefined {
  const link = location.hash.slice(1);
  if (link === '') return undefined;
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  return link;
}
