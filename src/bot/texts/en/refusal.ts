/** Replaces the service's own sentence where that does not fit Slack. */
export const refusal = {
  unknownWorkspace: 'This Slack workspace is not connected.',
  changedMeanwhile: 'Someone changed this standup at the same time. Try again.',
  tooLong: 'The text is too long.',
  postedAlready: 'This was already posted.',
  notTaken: 'This can’t be saved as it is. Change it, or ask your operator.',
  notAllowed: 'You’re not allowed to do that. Ask an owner to do it, or to change your role.',
  outsideTeam: 'You’re not in this team. Post in its channel, or ask a team lead to add you.',
  observer: 'You’re an observer of this team, so you can’t post. A team lead can make you a member.',
  notAuthor: 'Only the person who posted this can do that.',
  changeStandup: 'Only its author, a team lead, an owner or an admin can change or delete this standup.',
  resolveBlocker:
    'Only the person who raised this blocker, the person on it, a team lead, an owner or an admin can resolve it.',
  acknowledgeBlocker: 'Only team members, an owner or an admin can acknowledge this blocker.',
  enterAbsence: 'Only the person, a team lead, an owner or an admin can add an absence.',
  leadOnly: 'Only a team lead, an owner or an admin can do that.',
  adminOnly: 'Only an owner or admin can do that.',
  ownerOnly: 'Only an owner can do that.',
  notAccepted:
    'This person was added by a lead and has not posted in this team yet. Until then no one can act for them.',
  knownAddress:
    'Your e-mail address belongs to an owner or admin here. An address alone is not proof. The Slack guide says how to link your account, under “Who is who”.',
  unconfirmedName:
    'You are an owner, and your Slack account was linked by someone who is not. Ask another owner to confirm it on the People page.',
  gone: 'This was deleted.',
  teamGone: 'This team was deleted.',
  runClosed:
    'That standup has closed, and this team doesn’t accept late updates. Post for another day, or ask a lead.',
  dateNotAllowed: 'That day is too far in the past or future.',
  runExists: 'The team already has a standup today.',
  noOpenRun: 'No standup of this team is open.',
  teamPaused: 'This team is paused. A lead can resume it in its settings.',
  rateLimited: 'Too many tries. Wait a minute, then try again.',
  limitReached: 'The limit is reached. Remove one first.',
  manyBlockers: 'This team has reached the limit of open blockers. Resolve some first.',
  manyAbsences: 'You have reached the limit of absences. End one with /standup back, or ask a lead.',
  manyTeams: 'The workspace has reached the limit of teams. Ask an admin to delete one.',
  calendarGone: 'This calendar was deleted. Choose another one.',
  regionAlone: 'A region needs a country. Enter one too, such as DE.',
  longAbsence:
    'That is longer than a year. Type /standup ooo until further notice, and /standup back when you return.',
  uncertain: 'This may not have been saved. Do it again; it is only saved once.',
  storeAway: 'The service can’t reach its data right now. Try again in a minute.',
  slackAway: 'Slack is not responding. Try again in a minute.',
  storeLost: 'The data of this workspace is missing. Contact your operator.',
  storeFull: 'The service is out of space. Contact your operator.',
  workspaceFull:
    'This workspace is out of space. Ask an owner or admin to delete old standups or shorten retention, or your operator for more space.',
  internalError: 'Something went wrong on our side.',
};
