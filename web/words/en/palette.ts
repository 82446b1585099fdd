export const palette = {
  placeholder: 'Type a command or a page',
  none: 'Nothing has this name.',
  close: 'Close',
  keysOn: 'Single keys',
  keysHint: 'Switch them off if you speak to your computer, or press them by accident.',
  andThen: 'then',
  pages: 'On every page',
  requests: {
    intro:
      'All that this page has asked of the API, the newest first. Any program can do the same with an access token.',
    none: 'Nothing was asked yet.',
    noAnswer: 'no answer',
    copy: 'Copy as curl',
    copied: 'Copied. Set STANDUP_TOKEN to an access token before you run it.',
    id: (id: string) => `Request ${id}`,
    ms: (ms: number) => `${ms} ms`,
  },
};
