import {queryClient} from '../api/queries.ts';

export const roles = ['lead', 'member', 'observer'] as const;
export type TeamRole = (typeof roles)[number];

/** The roles of the API may become more. */
export function roleOf(role: string): TeamRole {
  return roles.find((known) => known === role) ?? 'member';
}

const touched = new Set([
  'listTeamMembers',
  'listMembers',
  'previewSchedule',
  'previewScheduleDraft',
  'getMe',
]);

/** Reads again all that says who is in the team, without waiting for the stream. */
export async function readPeopleAgain(): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({queryKey: [operation]}) => touched.has(String(operation)),
  });
}
