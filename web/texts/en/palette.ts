export const palette = {
  placeholder: 'Type a command or a page',
  none: 'No results',
  close: 'Close',
  keysOn: 'Single keys',
  keysHint: 'Turn them off if you use voice control, or press keys by accident.',
  andThen: 'then',
  pages: 'On every page',
  requests: {
    intro: 'Every API request of this page, newest first. A program can send the same with an access token.',
    none: 'No requests yet.',
    noAnswer: 'no answer',
    copy: 'Copy as curl',
    copied: 'Copied. Set STANDUP_TOKEN to an access token before you run it.',
    id: (id: string) => `Request ${id}`,
    ms: (ms: number) => `${ms} ms`,
  },
};
