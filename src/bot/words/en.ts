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
  place: {
    noTeam:
      'This channel belongs to no team, and you are in none yet. Use /standup in the channel of your team: that makes you part of it.',
    severalTeams: (teams: string) =>
      `This channel belongs to no team and you are in several (${teams}). Use /standup in the team's channel, or /standup alone to choose.`,
  },
  /** Where the service's own sentence would not do in Slack. */
  refusal: {
    unknownWorkspace: 'The service does not know this Slack workspace.',
    changedMeanwhile: 'Somebody has changed this standup at the same time. Try again.',
    tooLong: 'The text is too long.',
    postedAlready: 'This has been posted already.',
    storeAway: 'The service cannot reach its store at the moment. Try again in a minute.',
    storeLost: 'The data of this workspace is not in the store. Tell whoever runs the service.',
    storeFull: 'The store is full. Tell whoever runs the service.',
    ourFault: 'Something went wrong on our side.',
  },
  withReference: (sentence: string, reference: string) => `${sentence} (Reference: ${reference})`,
  webhook: {
    failing: (id: string, name: string, since: string, until: string) =>
      `The webhook ${name} has not delivered anything since ${since}. Unless an attempt succeeds it is disabled ${until}. What its receiver answered: GET /v1/webhooks/${id}/deliveries.`,
    disabled: (id: string, name: string, at: string, forFailing: boolean) =>
      `The webhook ${name} was disabled ${at}: ${forFailing ? 'no attempt had succeeded for five days.' : 'its receiver answered that it wants nothing more.'} Once its receiver works, enable it: PATCH /v1/webhooks/${id} with {"enabled": true}. Events until then can be replayed.`,
  },
  /** The end of what was too long for one message. */
  cutNote: '… (too long to be shown whole here)',
  posting: {
    goesOn: (part: number, of: number) =>
      `… (too long for one message: goes on below, part ${part} of ${of})`,
    goesOnInThread: (part: number, of: number) =>
      `… (too long for one message: goes on in the thread, part ${part} of ${of})`,
    part: (part: number, of: number) => `(part ${part} of ${of})`,
    day: (day: string, count: number, of: number) =>
      of === 0 ? `Standup · ${day}` : `Standup · ${day} · ${count} of ${of} in`,
    whoIsIn: (names: string) => `In: ${names}`,
    andMore: (names: string, more: number) => `${names} and ${more} more`,
  },
  time: {
    /** By Slack's own names of a day and a time, each in the locale and zone of whoever reads. */
    instant: '{date_short_pretty} at {time}',
    /** Where Slack cannot do that. */
    plainInstant: (day: string, time: string) => `${day}, ${time} UTC`,
  },
  form: {
    title: 'Post a standup',
    titleEdit: 'Edit your standup',
    post: 'Post',
    save: 'Save',
    cancel: 'Cancel',
    close: 'Close',
    loading: 'One moment …',
    forTeam: (team: string) => `For ${team}`,
    editing: (team: string, day: string) => `Your standup for ${team}, ${day}`,
    newUpdate: 'New update',
    team: 'Team',
    yesterday: 'Yesterday',
    today: 'Today',
    blockers: 'Blockers',
    update: 'Update',
    updateContinued: 'Update, continued',
    open: 'Open the form',
    notOpened: 'The form could not be opened in time.',
    yourText: (text: string) => `Your text: ${text}`,
    nothingToday: 'You have posted nothing today, so there is nothing to edit.',
    appendCut: 'The text that you add is too long for one standup. What fits of it stands below.',
    gone: 'This standup is gone: it has been deleted.',
    goneKept: 'This standup has been deleted meanwhile. Post makes a new one of your text.',
    changed: 'This standup was changed meanwhile. Save again to put your text in place of what it says now:',
    teamGone: 'This team is not there any more. Choose another one.',
    notSaved: (reason: string) => `Not saved. ${reason}`,
    saved: (team: string) => `Your standup for ${team} is saved.`,
    needsToday: 'Say what you do today.',
    needsUpdate: 'Write your update.',
    fault: (fault: string) => `This text ${fault}.`,
    tooLong: (length: number, max: number) =>
      `Together this is ${length} characters long; at most ${max} fit into one standup.`,
    madeIsDeleted: 'The standup that this form has made is deleted.',
  },
  home: {
    today: 'Today',
    notPosted: 'not posted yet',
    posted: 'posted',
    cut: ' … (cut: Edit shows all of it)',
    post: 'Post',
    postFor: (team: string) => `Post for ${team}`,
    edit: 'Edit',
    editFor: (team: string) => `Edit for ${team}`,
    mine: 'My teams',
    others: 'Other teams',
    inToday: (people: number, size: number) =>
      people > size ? `${people} in today` : `${people} of ${size} in today`,
    atLeastInToday: (people: number) => `${people} or more in today`,
    leads: 'you lead it',
    noChannel: 'no channel',
    leave: 'Leave',
    leaveTeam: (team: string) => `Leave ${team}`,
    leaveTitle: 'Leave this team?',
    leaveText: (team: string) =>
      `You will no longer be in ${team}. What you have posted stays. You can join again at any time.`,
    leaveConfirm: 'Leave',
    leaveDeny: 'Stay',
    join: 'Join',
    joinTeam: (team: string) => `Join ${team}`,
    joinOne: 'Choose a team to join',
    shown: (first: number, last: number, of: number) => `Teams ${first} to ${last} of ${of}.`,
    earlier: 'Earlier teams',
    further: (more: number) => `${more} more`,
    begin: [
      'Here your team hears from you once a day: what you did, what is next, what is in your way.',
      'Join your team below, or use /standup in its channel: that makes you part of it.',
      'Then post with /standup and your update, or with the form that /standup alone opens.',
    ],
    beginWithoutTeams: 'There is no team yet. Use /standup in a channel to set one up there.',
    joined: (team: string) => `You are in ${team} now.`,
    left: (team: string) => `You have left ${team}.`,
    teamGone: 'This team is not there any more.',
    slow: 'This takes longer than it should. Your day is shown here as soon as it is read.',
    reference: (reference: string) => `(Reference: ${reference})`,
    again: 'Try again',
  },
  shortcuts: {
    addedFrom: (author: string, link: string) => `From ${author} (${link}):`,
    addedBy: (author: string) => `From ${author}:`,
    addedFromNobody: (link: string) => `From ${link}:`,
    cut: ' … (cut: the link leads to all of it)',
    cutWithoutLink: ' … (cut)',
    noTeam:
      'You are in no team yet. Use /standup in the channel of your team, or join it on the Home tab of this app; then the form opens here too.',
    noText: 'This message has no text that could be added to your standup.',
  },
} as const;
