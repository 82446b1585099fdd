import {request} from 'node:http';
import {type Json, sendRequest, type TestResponse} from '../support/service.js';
import {ownPage} from './test-browser.js';

/** Headers of a browser when a person opens an address. */
export const navigation = {
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156',
};

export interface PageResponse {
  readonly status: number;
  readonly location: string;
  readonly headers: Headers;
  readonly text: string;
}

/** Sent without `fetch`, which marks its requests as no navigation. */
function requestPage(url: string, headers: Record<string, string>): Promise<PageResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {headers}, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const lines = response.rawHeaders.flatMap((name, i, all): [string, string][] =>
          i % 2 === 0 ? [[name, all[i + 1] ?? '']] : [],
        );
        const answered = new Headers(lines);
        resolve({
          status: response.statusCode ?? 0,
          location: answered.get('location') ?? '',
          headers: answered,
          text: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    sent.on('error', reject).end();
  });
}

/** A browser that moves between sites over HTTP, with the cookies of each. */
export interface Traveller {
  readonly cookies: Map<string, Map<string, string>>;
  /** Opens one address without following redirects, by default like a link of the dashboard's page. */
  go(url: string, headers?: Record<string, string | undefined>): Promise<PageResponse>;
  /** Opens an address and follows redirects within the provider. Returns the address that leads back. */
  follow(url: string): Promise<string>;
  cookie(origin: string, name: string): string | undefined;
  /** A request from a script of the page, by default a POST. */
  ask(origin: string, path: string, method?: string, body?: Json): Promise<TestResponse>;
}

export function createTraveller(): Traveller {
  const cookies: Traveller['cookies'] = new Map();
  const jarOf = (origin: string) => {
    const jar = cookies.get(origin) ?? new Map<string, string>();
    cookies.set(origin, jar);
    return jar;
  };
  /** A request from another site carries no `SameSite=Strict` cookie. */
  const header = (origin: string, isForeign = false) =>
    [...jarOf(origin)]
      .filter(([name]) => !isForeign || !/^(?:__Host-)?standup$/.test(name))
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
  function keep(origin: string, headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      const isOver = attributes.some((one) => /^\s*(?:max-age=0$|expires=.*1970)/i.test(one));
      if (value === '' || isOver) jarOf(origin).delete(name);
      else jarOf(origin).set(name, value);
    }
  }

  const traveller: Traveller = {
    cookies,
    async go(url, more = {}) {
      const {origin} = new URL(url);
      const isForeign = more['sec-fetch-site'] === 'cross-site';
      const all = {
        ...navigation,
        'sec-fetch-site': 'same-origin',
        cookie: header(origin, isForeign),
        ...more,
      };
      const sent = Object.entries(all).filter((line): line is [string, string] => Boolean(line[1]));
      const arrival = await requestPage(url, Object.fromEntries(sent));
      keep(origin, arrival.headers);
      return arrival;
    },
    async follow(url) {
      const {origin} = new URL(url);
      let at = url;
      for (let hops = 0; hops < 10; hops++) {
        const {status, location, text} = await traveller.go(at);
        if (location === '') throw new Error(`${at} answers ${status} ${text}`);
        at = new URL(location, at).href;
        if (new URL(at).origin !== origin) return at;
      }
      throw new Error(`${url} leads round in circles`);
    },
    cookie: (origin, name) => jarOf(origin).get(name),
    async ask(origin, path, method = 'POST', body) {
      const headers = {...ownPage, cookie: header(origin)};
      const answer = await sendRequest(origin, method, path, {headers, body});
      keep(origin, answer.headers);
      return answer;
    },
  };
  return traveller;
}
