/** Messages for a team without members, and for a person without a team. */
export const nobody = {
  empty: {
    title: 'Nobody is in this team yet',
    owner: 'Join it yourself to begin. Add others in its settings.',
    lead: 'Leads, owners and admins add people in its settings.',
    join: 'Join this team',
  },
  slackJoins: 'In Slack, posting in the channel of a team joins it.',
  noTeam: {
    title: 'You are in no team yet',
    text: 'Ask a lead to add you. Meanwhile you may look at any team.',
    owner: 'Open a team and join it, or look at how it is doing.',
    noTeams: 'The workspace has no team yet. Make the first one: you lead it, and add its people.',
    more: 'There are more: find them by name.',
  },
};
