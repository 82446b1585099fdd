/**
 * The origin of an added text, as far as it is known; part of the person's own text from then on, in which
 * nothing is isolated.
 */
function describeOrigin({
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
  addedFrom: describeOrigin,
  /** The end of a sentence that begins with the name of a text. */
  errors: {
    empty: 'must not be empty or only white space',
    blank: 'must have a visible character',
    long: (length: number, max: number) => `is ${length} characters long; at most ${max} are allowed`,
    characters: 'must not contain control characters other than newline, return and tab',
    least: (min: number) => `must be ${min} or more`,
    most: (max: number) => `must be ${max} or less`,
    digits: 'must be a number of up to 15 digits, or it would become another one',
    unfit: 'does not fit the question',
  },
} as const;
