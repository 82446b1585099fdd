import {need} from './connection.js';
import {CommandError} from './errors.js';
import {chooseTeam, printBody, type Session} from './session.js';
import {line, printTable} from './show.js';

export async function listBlockers(session: Session, given: string | undefined, all: boolean): Promise<void> {
  const team = await chooseTeam(session, given);
  const query = {team: [team], limit: 100, ...(!all && {state: 'open' as const})};
  const {data} = need(await session.client.GET('/v1/blockers', {params: {query}}));
  if (session.json) return printBody(session);
  const rows = data.map(({id, state, author, text, created_at}) => [
    id,
    state,
    created_at.slice(0, 10),
    author.name,
    text.replaceAll(/\s*\n\s*/g, ' / '),
  ]);
  printTable(
    session,
    ['ID', 'STATE', 'SINCE', 'RAISED BY', 'TEXT'],
    rows,
    `${line(team)} has no open blocker.`,
  );
}

export async function raiseBlocker(session: Session, text: string, given: string | undefined): Promise<void> {
  const {client, outside} = session;
  if (text === '')
    throw new CommandError('usage', 'Say what blocks you: standup blockers raise "No access to staging."');
  const body = {team: await chooseTeam(session, given), text};
  const header = {'Idempotency-Key': outside.createId()};
  const blocker = need(await client.POST('/v1/blockers', {params: {header}, body}));
  if (session.json) return printBody(session);
  outside.print(`Raised for ${line(blocker.team)}: ${line(blocker.text)}\n`);
  outside.print(
    `${outside.emphasize(`When it is gone: standup blockers resolve ${line(blocker.id)}`, 'dim')}\n`,
  );
}

export async function changeBlocker(
  session: Session,
  blocker: string,
  state: 'acknowledged' | 'resolved',
): Promise<void> {
  const {client, outside} = session;
  const params = {path: {blocker}, header: {'Idempotency-Key': outside.createId()}};
  const changed = need(await client.PATCH('/v1/blockers/{blocker}', {params, body: {state}}));
  if (session.json) return printBody(session);
  const said = state === 'resolved' ? 'Resolved' : 'You are on it';
  outside.print(`${said}: ${line(changed.text)}\n`);
}
