/** What stands for something of which Slack tells no name. */
export const text = {
  unknown: {user: 'somebody', channel: '#a-channel', group: 'a-group'},
} as const;
