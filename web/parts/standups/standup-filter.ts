import type {ShownStandup} from '../../api/schema.ts';

/** Filters of standups; a filter that is undefined restricts nothing. */
export interface StandupListFilter {
  /** Slug or id of a team. */
  readonly team?: string;
  /** Author of the standups: id of a member or service account, or `me`. */
  readonly author?: string;
  readonly from?: string;
  readonly to?: string;
  readonly source?: string;
  readonly q?: string;
  /** `asc`: oldest first; undefined: newest first. */
  readonly order?: 'asc';
}

/** The filter as parameters of `listStandups` and `exportStandups`. */
export function toApiParameters({team, author, from, to, source, q, order}: StandupListFilter) {
  return {
    ...(team !== undefined && {team: [team]}),
    ...(author !== undefined && {author}),
    ...(from !== undefined && {date_from: from}),
    ...(to !== undefined && {date_to: to}),
    ...(source !== undefined && {source}),
    ...(q !== undefined && {q}),
    ...(order !== undefined && {order}),
  };
}

/** Whether a standup matches the filter. `me` is the id of the signed-in member. */
export function matchesFilter(standup: ShownStandup, filter: StandupListFilter, me: string): boolean {
  const {team, author, from = '', to = '9999-12-31', source, q} = filter;
  const fold = (text: string): string => text.normalize('NFC').toLowerCase();
  return (
    (team === undefined || [standup.team, standup.team_id].includes(team.toLowerCase())) &&
    (author === undefined || standup.author.id === (author === 'me' ? me : author)) &&
    standup.date >= from &&
    standup.date <= to &&
    (source === undefined || standup.source === source) &&
    (q === undefined || fold(standup.update).includes(fold(q)))
  );
}
