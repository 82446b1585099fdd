/** Messages for a team without members, and for a person without a team. */
export const noMembers = {
  empty: {
    title: 'This team has no members yet',
    owner: 'Join it to get started. Add others in team settings.',
    lead: 'Team leads, owners and admins can add people in team settings.',
    join: 'Join this team',
  },
  slackJoins: 'In Slack, you join a team by posting in its channel.',
  noTeam: {
    title: 'You’re not in a team yet',
    text: 'Ask a team lead to add you. You can read every team in the meantime.',
    owner: 'Open a team to join it, or to see how it is doing.',
    noTeams: 'There are no teams yet. Create the first one. You will be its lead.',
    more: 'There are more. Search by name.',
  },
};
