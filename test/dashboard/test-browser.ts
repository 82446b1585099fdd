// test/dashboard/: the entry point at /app: sessions, forged requests, the page.
// Not here: the API's use of the resulting tokens (test/api).
import type {Call} from '../../src/domain/core/access.js';
import {asId} from '../support/ids.js';
import {sendRequest, type TestResponse, type TestService, type TestWorkspace} from '../support/service.js';

/** Headers that a page of the dashboard sends by itself. */
export const ownPage = {'x-standup-dashboard': '1', 'sec-fetch-site': 'same-origin'};

/** A browser from the server's view: it sends back its cookie. */
export interface TestBrowser {
  cookie: string | undefined;
  /** The cookie with the challenge for a passkey. */
  challenge: string | undefined;
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
    challenge: undefined,
    async ask(method, path, {body, headers = {}} = {}) {
      const kept = [browser.cookie, browser.challenge].filter((one) => one !== undefined).join('; ');
      const all = {...ownPage, ...(kept !== '' && {cookie: kept}), ...headers};
      const sent = Object.entries(all).filter((line): line is [string, string] => line[1] !== undefined);
      const answer = await sendRequest(service.url, method, path, {body, headers: Object.fromEntries(sent)});
      for (const line of answer.headers.getSetCookie()) {
        const [given = ''] = line.split(';');
        const name = given.startsWith('standup-passkey=') ? 'challenge' : 'cookie';
        browser[name] = given.endsWith('=') ? undefined : given;
      }
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

/** A token for the API of a new session of a member, who has just proven that it is them. */
export async function createSessionToken(
  workspace: Pick<TestWorkspace, 'core' | 'id'>,
  member: string,
): Promise<string> {
  const {sessions} = workspace.core.services;
  const request = {deadline: performance.now() + 5_000};
  const proven = {workspace: workspace.id, member: asId<'member'>(member), confirmed: true};
  const browser = {name: 'Firefox on Linux', instead: undefined};
  const {pass} = await sessions.signInMember(proven, browser, request);
  const session = await sessions.requireSession(pass, request);
  const quota = {limits: {all: 0, writes: 0}, isWrite: false};
  return (await sessions.grantToken(session, quota, request)).token;
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
