// test/dashboard/: the entry point at /app: sessions, forged requests, the page.
// Not here: the API's use of the resulting tokens (test/api).
import type {Call} from '../../src/domain/core/access.js';
import {sendRequest, type TestResponse, type TestService, type TestWorkspace} from '../support/service.js';

/** Headers that a page of the dashboard sends by itself. */
export const ownPage = {'x-standup-dashboard': '1', 'sec-fetch-site': 'same-origin'};

/** A browser from the server's view: it sends back its cookie. */
export interface TestBrowser {
  cookie: string | undefined;
  /**
   * Sends a request like a page of the dashboard, with changes from `headers`; undefined removes a header.
   */
  ask(
    method: string,
    path: string,
    options?: {body?: unknown; headers?: Record<string, string | undefined>},
  ): Promise<TestResponse>;
  /** Signs in with a link. */
  signIn(url: string): Promise<TestResponse>;
  /** A token for the API. */
  token(): Promise<string>;
}

export function createTestBrowser(service: Pick<TestService, 'url'>): TestBrowser {
  const browser: TestBrowser = {
    cookie: undefined,
    async ask(method, path, {body, headers = {}} = {}) {
      const all = {...ownPage, ...(browser.cookie !== undefined && {cookie: browser.cookie}), ...headers};
      const sent = Object.entries(all).filter((line): line is [string, string] => line[1] !== undefined);
      const answer = await sendRequest(service.url, method, path, {body, headers: Object.fromEntries(sent)});
      const given = answer.headers.get('set-cookie')?.split(';')[0];
      if (given !== undefined) browser.cookie = given.endsWith('=') ? undefined : given;
      return answer;
    },
    signIn: (url) => browser.ask('POST', '/app/session', {body: {link: passOf(url)}}),
    async token() {
      const answer = await browser.ask('POST', '/app/session/token');
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
      return answer.body.token;
    },
  };
  return browser;
}

/** The part of a link after the #. */
export function passOf(url: string): string {
  return url.slice(url.indexOf('#') + 1);
}

/** Creates a link for a member, by default as the operator. */
export async function makeLink(
  workspace: Pick<TestWorkspace, 'core' | 'operator'>,
  member: string,
  call: Call = workspace.operator(),
): Promise<string> {
  const {body} = await workspace.core.services.sessions.createSignInLink(call, {member});
  return JSON.parse(body).url;
}

/** A browser that is signed in. */
export async function signedIn(
  service: TestService,
  workspace: TestWorkspace,
  member: string,
): Promise<TestBrowser> {
  const browser = createTestBrowser(service);
  const answer = await browser.signIn(await makeLink(workspace, member));
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return browser;
}
