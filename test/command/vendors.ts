import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';

/** A stand-in of another product's API on loopback. */
export interface StandIn {
  readonly url: string;
  /** The paths with their queries, in the order in which they were asked for. */
  readonly asked: string[];
  close(): Promise<void>;
}

export type Reply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
};

type Json = Readonly<Record<string, unknown>>;

/** Serves answers. A body that is a text is sent as it is. */
export async function serve(answer: (url: URL, request: IncomingMessage) => Reply): Promise<StandIn> {
  const asked: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    asked.push(request.url ?? '');
    const {status = 200, headers = {}, body} = answer(new URL(request.url ?? '', 'http://x'), request);
    response.writeHead(status, {'content-type': 'application/json', ...headers});
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface GeekbotData {
  readonly standups: readonly Json[];
  readonly reports: readonly Json[];
  readonly ooo?: readonly Json[];
  /** The people of the first version of the API, with those who left. */
  readonly team?: Json;
  readonly reportsV1?: readonly Json[];
  /** Answers each path that begins with this one first with 429. */
  readonly busy?: string;
  /** Default: 2, so that small lists have several pages. */
  readonly pageSize?: number;
}

/** Answers as Geekbot does: keys without `Bearer`, cursors, and an `until` that is left out. */
export function serveGeekbot(data: GeekbotData, key = 'geekbot-key'): Promise<StandIn> {
  const isAnswered = new Set<string>();
  const page = (rows: readonly Json[], url: URL): Reply => {
    const at = Number(url.searchParams.get('cursor') ?? 0);
    const next = at + Math.min(data.pageSize ?? 2, Number(url.searchParams.get('limit') ?? 2));
    const hasMore = next < rows.length;
    const body = {data: rows.slice(at, next), next_cursor: hasMore ? String(next) : null, has_more: hasMore};
    return {body};
  };
  return serve((url, {headers}) => {
    const {pathname, searchParams} = url;
    if (headers.authorization !== key) return {status: 401, body: {error: {code: 'unauthorized'}}};
    if (data.busy !== undefined && pathname.startsWith(data.busy) && !isAnswered.has(pathname)) {
      isAnswered.add(pathname);
      return {status: 429, headers: {'retry-after': '7'}, body: {}};
    }
    switch (pathname) {
      case '/v2/standups':
        return page(data.standups, url);
      case '/v2/reports': {
        const [since, until] = ['since', 'until'].map((name) => searchParams.get(name));
        const own = data.reports.filter(
          ({standup_id: id, posted_at: at}) =>
            String(id) === searchParams.get('standup_id') &&
            (!since || String(at) >= since) &&
            (!until || String(at).slice(0, 10) < until),
        );
        return page(own, url);
      }
      case '/v2/ooo':
        return page(data.ooo ?? [], url);
      case '/v1/teams':
        return {body: data.team ?? {id: 1, name: 'Everyone', users: []}};
      case '/v1/reports': {
        const user = searchParams.get('user_id');
        return {body: (data.reportsV1 ?? []).filter(({member}) => (member as Json)['id'] === user)};
      }
      default:
        return {status: 404, body: {error: {code: 'not_found'}}};
    }
  });
}

export interface DailybotData {
  readonly users: readonly Json[];
  readonly checkins: readonly Json[];
  /** The responses of each check-in. */
  readonly responses: Readonly<Record<string, readonly Json[]>>;
  /** Whether lists come without an envelope, as a page of its documentation says. */
  readonly isBare?: boolean;
  /** Whether pages have a count, and no address of the next one. */
  readonly isCounted?: boolean;
}

/** Answers as DailyBot does: days that default to today, and pages by offset. */
export function serveDailybot(data: DailybotData, key = 'dailybot-key'): Promise<StandIn> {
  const today = new Date().toISOString().slice(0, 10);
  return serve((url, {headers}) => {
    const {pathname, searchParams} = url;
    if (headers['x-api-key'] !== key) return {status: 403, body: {detail: 'Invalid API key.'}};
    const page = (rows: readonly Json[]): Reply => {
      const offset = Number(searchParams.get('offset') ?? 0);
      const next = offset + Math.min(3, Number(searchParams.get('limit') ?? 3));
      const more = next < rows.length ? `${url.origin}${pathname}?offset=${next}` : null;
      const links = data.isCounted ? {} : {next: more, previous: null};
      return {body: {count: rows.length, ...links, results: rows.slice(offset, next)}};
    };
    const [, checkin, isResponses] = /^\/v1\/checkins\/([^/]+)\/(responses\/)?$/.exec(pathname) ?? [];
    if (pathname === '/v1/users/') {
      const withEmail = searchParams.get('include_email') === 'true';
      return page(data.users.map(({email, ...user}) => (withEmail ? {...user, email} : user)));
    }
    if (pathname === '/v1/checkins/') return data.isBare ? {body: data.checkins} : page(data.checkins);
    const found = data.checkins.find(({uuid, id}) => (uuid ?? id) === checkin);
    if (found === undefined) return {status: 404, body: {detail: 'Not found.'}};
    if (isResponses === undefined) return {body: found};
    const [start, end] = ['date_start', 'date_end'].map((name) => searchParams.get(name) ?? today);
    const rows = (data.responses[checkin ?? ''] ?? []).filter(({response_date: date}) => {
      const day = String(date).slice(0, 10);
      return day >= (start ?? '') && day <= (end ?? '');
    });
    return page(rows);
  });
}
