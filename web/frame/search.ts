/** Stands in the address of any page: the panel that writes a standup is beside them all. */
export interface FrameSearch {
  /** Writes for a team (its slug), or for one's own choice (empty). */
  readonly write?: string;
  /** Edits a standup, by id. */
  readonly edit?: string;
}

export function readFrameSearch(search: Record<string, unknown>): FrameSearch {
  const {write, edit} = search;
  return {...(typeof write === 'string' && {write}), ...(typeof edit === 'string' && {edit})};
}
