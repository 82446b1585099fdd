/** In the address of any page: the panel that writes a standup opens beside every page. */
export interface FrameSearch {
  /** Writes for a team, by slug; empty: the panel preselects a team. */
  readonly write?: string;
  /** Edits a standup, by id. */
  readonly edit?: string;
}

export function readFrameSearch(search: Record<string, unknown>): FrameSearch {
  const {write, edit} = search;
  return {...(typeof write === 'string' && {write}), ...(typeof edit === 'string' && {edit})};
}
