/** Answers of the command, and of posting, changing or undoing. */
export const command = {
  unknown: (command: string, standup: string) =>
    `\`${command}\` is not known here. \`${standup} help\` shows what is.`,
  /** `where`: the channel, or the name of a team that has none. */
  posted: (where: string, day: string) => `✅ Posted in ${where}, ${day}.`,
  postedLate: (where: string, day: string) => `✅ Posted late in ${where}, ${day}.`,
  changed: (where: string, day: string) => `✅ Changed in ${where}, ${day}.`,
  postedForAll: (places: string) => `✅ Posted in ${places}.`,
  changedForAll: (places: string) => `✅ Changed in ${places}.`,
  teamOn: (team: string, day: string) => `${team} (${day})`,
  teamIn: (team: string, channel: string) => `${team} in ${channel}`,
  editFor: (team: string) => `Edit ${team}`,
  undoFor: (team: string) => `Undo ${team}`,
  deleteFor: (team: string) => `Delete ${team}`,
  edit: 'Edit',
  undo: 'Undo',
  delete: 'Delete',
  undone: 'Undone. Your text:',
  deleted: 'Deleted. Your text:',
  goneAlready: 'This standup is gone already. Your text:',
  gone: 'This standup is gone already.',
  notUndone: (reason: string) => `Not undone. ${reason}`,
  again: 'Post it again',
  notPosted: (reason: string) => `Not posted. ${reason} Your text:`,
  uncertain: (reference: string) =>
    `It is not certain that this is posted: the store did not answer in time. Look with /standup today before you post it again. (Reference: ${reference}) Your text:`,
  tooLong: (length: number, max: number) =>
    `Your update is ${length} characters long; at most ${max} fit into one standup.`,
  chooseInForm: 'Nothing is posted yet: choose the team in the form. Your text:',
  whichTeam: (teams: string) => `Not posted yet. Which team is this for: ${teams}?`,
  postThere: (where: string) => `Not posted yet. Post this to ${where}?`,
  postThisTo: (team: string) => `Post to ${team}`,
  didYouMean: (meant: string) => `Did you mean ${meant}? Nothing was posted.`,
  runIt: 'Run it',
  postAnyway: (typed: string) => `Post “${typed}” as my update`,
};
