import {need} from './connection.js';
import {findMe, printBody, type Session} from './session.js';
import {line, printTable} from './show.js';

/** Lists people by name or e-mail address, with the time of day where they are. */
export async function listPeople(session: Session, search: string, team: string | undefined): Promise<void> {
  const query = {limit: 100, ...(search !== '' && {q: search}), ...(team !== undefined && {team})};
  const {data, has_more: hasMore} = need(await session.client.GET('/v1/members', {params: {query}}));
  if (session.json) return printBody(session);
  const rows = data.map(({name, email, role, timezone}) => [
    name,
    email ?? '',
    role,
    timezone ?? '',
    timezone === null ? '' : formatClock(session.outside.now(), timezone),
  ]);
  printTable(session, ['NAME', 'E-MAIL', 'ROLE', 'TIME ZONE', 'NOW'], rows, 'No one has this name.');
  if (hasMore) session.outside.print('There are more: type a part of the name.\n');
}

function formatClock(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    timeStyle: undefined,
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(instant);
}

export async function showMe(session: Session): Promise<void> {
  const {outside, url} = session;
  const {principal, workspace, role, teams, scopes, expires_at: expires} = await findMe(session);
  if (session.json) return printBody(session);
  const lines = [
    `${line(principal.name)} (${line(role)}) in ${line(workspace.name)} at ${url}`,
    `Teams: ${teams === null ? 'not readable with this token' : teams.map(({slug}) => line(slug)).join(', ') || 'none'}`,
    `Scopes: ${scopes.map(line).join(' ')}`,
    `The sign-in ends on ${line(expires.slice(0, 10))}.`,
  ];
  outside.print(`${lines.join('\n')}\n`);
}
