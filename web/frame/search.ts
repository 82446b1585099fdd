/** Parameters in the address of any page: the panel that writes a standup can open beside every page. */
export interface FrameSearch {
  /** Slug of the team to write for; if empty, the panel preselects a team. */
  readonly write?: string | undefined;
  readonly edit?: string | undefined;
}

export function readFrameSearch(search: Record<string, unknown>): FrameSearch {
  const {write, edit} = search;
  return {...(typeof write === 'string' && {write}), ...(typeof edit === 'string' && {edit})};
}
