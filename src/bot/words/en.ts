/**
 * Every sentence that the bot says, in English: the catalogue that other languages have to match. One section for each part of the bot; texts
 * with a gap are functions. No text here is escaped: what shows it does that.
 */
export const en = {
  help: [
    '*What you can do here*',
    '• `/standup` and your update: posts it at once, to the team of this channel or to your only team.',
    '• `/standup` alone: opens a form with Yesterday, Today and Blockers.',
    '• `/standup help`: shows this.',
  ],
  command: {
    notYet: (word: string) =>
      `\`/standup ${word}\` is not available yet, and nothing was posted. \`/standup help\` shows what is.`,
    unknown: (command: string, standup: string) =>
      `\`${command}\` is not known here. \`${standup} help\` shows what is.`,
  },
  webhook: {
    failing: (id: string, name: string, since: string, until: string) =>
      `The webhook ${name} has not delivered anything since ${since}. Unless an attempt succeeds it is disabled ${until}. What its receiver answered: GET /v1/webhooks/${id}/deliveries.`,
    disabled: (id: string, name: string, at: string, forFailing: boolean) =>
      `The webhook ${name} was disabled ${at}: ${forFailing ? 'no attempt had succeeded for five days.' : 'its receiver answered that it wants nothing more.'} Once its receiver works, enable it: PATCH /v1/webhooks/${id} with {"enabled": true}. Events until then can be replayed.`,
  },
  /** The end of what was too long for one message. */
  cutNote: '… (too long to be shown whole here)',
  time: {
    /** By Slack's own names of a day and a time, each in the locale and zone of whoever reads. */
    instant: '{date_short_pretty} at {time}',
    /** Where Slack cannot do that. */
    plainInstant: (day: string, time: string) => `${day}, ${time} UTC`,
  },
} as const;
