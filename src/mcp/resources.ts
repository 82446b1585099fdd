import {addDays} from '../domain/core/dates.js';
import type {PlannedRequest} from './tools.js';

export const resourceTemplates = [
  {
    name: 'team_day',
    title: 'A team’s day',
    uriTemplate: 'standup://teams/{team}/days/{date}',
    description: 'What each member of a team posted on a date (YYYY-MM-DD, or today), and who has not.',
    mimeType: 'application/json',
  },
  {
    name: 'person_week',
    title: 'A person’s week',
    uriTemplate: 'standup://people/{person}/weeks/{monday}',
    description: 'The standups of a person (id, e-mail address or me) in the week from a date (YYYY-MM-DD).',
    mimeType: 'application/json',
  },
];

const teamDay = /^standup:\/\/teams\/([^/]+)\/days\/([^/]+)$/;
const personWeek = /^standup:\/\/people\/([^/]+)\/weeks\/(\d{4}-\d{2}-\d{2})$/;

/** Returns the operation that reads a resource; undefined for an address that names none. */
export function planReading(uri: string): PlannedRequest | undefined {
  const [, team, date] = teamDay.exec(uri) ?? [];
  if (team !== undefined && date !== undefined)
    return {operation: 'getTeamDay', params: {team: decode(team), date: decode(date)}};
  const [, person, monday] = personWeek.exec(uri) ?? [];
  if (person === undefined || monday === undefined || Number.isNaN(Date.parse(monday))) return undefined;
  const query = {author: decode(person), date_from: monday, date_to: addDays(monday, 6), limit: '100'};
  return {operation: 'listStandups', query};
}

/** Returns the resource for today of a team. */
export function describeToday({slug, name}: {readonly slug: string; readonly name: string}) {
  return {
    uri: `standup://teams/${encodeURIComponent(slug)}/days/today`,
    name: `today_${slug}`,
    title: `${name} today`,
    description: `What each member of ${name} posted today, and who has not.`,
    mimeType: 'application/json',
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
