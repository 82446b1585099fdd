import {need} from './connection.js';
import {CommandError} from './errors.js';
import {escapeUnseen, printBody, type Session} from './session.js';
import {line, paragraph} from './show.js';

export interface HistoryOptions {
  readonly team?: string;
  readonly author?: string;
  readonly q?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: string;
  readonly all?: boolean;
}

/** Lists standups, the newest first: the user's own, or those of a team or a person. */
export async function showHistory(session: Session, options: HistoryOptions): Promise<void> {
  const {outside, client} = session;
  const limit = Number(options.limit ?? (options.all ? 100 : 10));
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw new CommandError('usage', `--limit takes 1 to 100, not ${options.limit ?? ''}.`);
  }
  const {team} = options;
  const author = options.author ?? (team === undefined ? 'me' : undefined);
  let cursor: string | undefined;
  let isFirst = true;
  do {
    const query = {
      limit,
      ...(team !== undefined && {team: team.split(',')}),
      ...(author !== undefined && author !== 'all' && {author}),
      ...(options.q !== undefined && {q: options.q}),
      ...(options.since !== undefined && {date_from: options.since}),
      ...(options.until !== undefined && {date_to: options.until}),
      ...(cursor !== undefined && {cursor}),
    };
    const page = need(await client.GET('/v1/standups', {params: {query}}));
    if (options.all)
      for (const standup of page.data) outside.print(`${escapeUnseen(JSON.stringify(standup))}\n`);
    else if (session.json) printBody(session);
    else {
      if (page.data.length === 0 && isFirst) outside.print('There are no standups.\n');
      for (const {author, team, date, update, id} of page.data) {
        const about = `${line(date)}  ${line(team)}  ${line(author.name)}`;
        outside.print(
          `${outside.emphasize(about, 'bold')}  ${outside.emphasize(line(id), 'dim')}\n${paragraph(update)}\n\n`,
        );
      }
    }
    isFirst = false;
    cursor = options.all ? (page.next_cursor ?? undefined) : undefined;
    if (page.has_more && !options.all && !session.json)
      outside.print('There are more: add --all, or a higher --limit.\n');
  } while (cursor !== undefined);
}
