/** For the leads of a member whose account is deactivated in Slack. */
export const gone = {
  deactivated: (name: string, teams: string) =>
    `${name}’s Slack account is deactivated. I won’t ask them for updates in ${teams}, and they don’t count as missing.`,
  remove: 'Remove from team',
  removeFrom: (team: string) => `Remove from ${team}`,
  ask: (name: string, team: string) => `Remove ${name} from ${team}? Their updates stay.`,
  confirm: 'Remove',
  keep: 'Keep',
  removed: (team: string) => `Removed from ${team}.`,
} as const;
