/**
 * The origin of an added text, as far as it is known; part of the person's own text from then on, in which
 * nothing is isolated.
 */
function addedFrom({
  author,
  channel,
  link,
}: {
  readonly author?: string | undefined;
  readonly channel?: string | undefined;
  readonly link?: string | undefined;
}): string {
  const where = channel === undefined ? undefined : author === undefined ? channel : `in ${channel}`;
  const known = [author, where].filter((part) => part !== undefined).join(', ');
  if (link === undefined) return known === '' ? '' : `From ${known}:`;
  return known === '' ? `From ${link}:` : `From ${known} (${link}):`;
}

export const text = {
  /** For an id whose name Slack does not return. */
  unknown: {user: 'someone', channel: '#a-channel', group: 'a-group'},
  addedFrom,
} as const;
