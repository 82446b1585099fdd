/** Replaces the service's own sentence where that does not fit Slack. */
export const refusal = {
  unknownWorkspace: 'The service does not know this Slack workspace.',
  changedMeanwhile: 'Somebody has changed this standup at the same time. Try again.',
  tooLong: 'The text is too long.',
  postedAlready: 'This has been posted already.',
  notTaken: 'The service does not take this as it is. Change it, or ask the people who run the service.',
  notAllowed: 'You may not do that. An owner of the workspace can, or can change your role.',
  outsideTeam: 'You are not in this team. Post in its channel, or ask a lead of it to add you.',
  observer: 'You observe this team: you see it, and do not post for it. A lead of it can make you a member.',
  notAuthor: 'Only the person who posted this can do that.',
  changeStandup: 'Only its author, a team lead, an owner or an admin can change or delete this standup.',
  resolveBlocker:
    'Only the person who raised this blocker, the person looking after it, a team lead, an owner or an admin can resolve it.',
  acknowledgeBlocker: 'Only people in the team, an owner or an admin can look after this blocker.',
  enterAbsence: 'Only they themselves, a team lead, an owner or an admin can say when somebody is away.',
  leadOnly: 'Only a lead of the team, or an owner or admin of the workspace, may do that.',
  adminOnly: 'Only an owner or admin of the workspace may do that.',
  ownerOnly: 'Only an owner of the workspace may do that.',
  notAccepted:
    'A lead has put this person into the team, and they have not posted there yet. Until then nobody may act for them.',
  knownAddress:
    'Your e-mail address is that of an owner or admin here. An address alone does not make you that person: link yourself as the guide to Slack says, under “Many workspaces”.',
  unconfirmedName:
    'You are an owner now, and your Slack user was linked here by somebody who is no owner. Ask another owner to confirm it on the page People.',
  gone: 'This is not there any more.',
  teamGone: 'This team is not there any more.',
  runClosed:
    'The standup of that day is closed, and the team takes no late ones. Post for another day, or ask a lead.',
  dateNotAllowed: 'That day is too long ago, or too far ahead.',
  runExists: 'The team has a standup for today already.',
  noOpenRun: 'No standup of the team is open now.',
  teamPaused: 'The team is paused: a lead can let it go on, in its settings.',
  rateLimited: 'That was too often. Wait a minute, then try again.',
  limitReached: 'There are as many of these as there may be. Remove one first.',
  manyBlockers: 'The team has as many open blockers as it may have. Resolve some first.',
  manyAbsences: 'You have as many absences as one may have. End one with /standup back first, or ask a lead.',
  manyTeams: 'The workspace has as many teams as it may have. Ask an admin to delete one first.',
  calendarGone: 'This calendar is not there any more. Choose another one.',
  regionAlone: 'A region belongs to a country: type that as well, such as DE.',
  longAbsence:
    'That is longer than a year. Type /standup ooo until further notice, and /standup back when you are here again.',
  uncertain:
    'It is not certain that this is saved: the store did not answer in time. Do it again: it is saved once.',
  storeAway: 'The service cannot reach its store at the moment. Try again in a minute.',
  slackAway: 'Slack does not say who you are at the moment. Try again in a minute.',
  storeLost: 'The data of this workspace is not in the store. Tell the people who run the service.',
  storeFull: 'The store is full. Tell the people who run the service.',
  workspaceFull:
    'This workspace is out of space. Ask an owner or admin to keep standups for a shorter time or delete old ones, or your operator for more space.',
  ourFault: 'Something went wrong on our side.',
};
