import {queryClient} from '../api/queries.ts';

export const roles = ['lead', 'member', 'observer'] as const;
export type TeamRole = (typeof roles)[number];

/** Reads a team role. The API may add roles; an unknown role counts as member. */
export function parseRole(role: string): TeamRole {
  return roles.find((known) => known === role) ?? 'member';
}

const touched = new Set([
  'listTeamMembers',
  'listMembers',
  'previewSchedule',
  'previewScheduleDraft',
  'getMe',
]);

/** Refetches all data about members and teams, without waiting for the change stream. */
export async function refetchMembers(): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({queryKey: [operation]}) => touched.has(String(operation)),
  });
}
