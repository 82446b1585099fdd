/**
 * Returns the sign-in link in the page's address, or undefined. Removes the link from the address and the
 * browser's history.
 */
export function takeSignInLink(): string | undefined {
  const link = location.hash.slice(1);
  if (link === '') return undefined;
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  return link;
}
