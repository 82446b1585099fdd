import {forgetKnownValues} from './completion-values.js';
import {connect, need, sendWithRetries} from './connection.js';
import {CommandError} from './errors.js';
import {openInBrowser} from './open.js';
import type {Outside} from './outside.js';
import {type GlobalOptions, openSession} from './session.js';
import {
  defaultProfile,
  isPrivateAddress,
  parseAddress,
  readProfile,
  readToken,
  saveProfile,
  saveToken,
} from './settings.js';
import {line} from './show.js';
import {readClaim} from './token.js';

export interface LoginOptions extends GlobalOptions {
  readonly withToken?: boolean;
  readonly team?: string;
  readonly forImport?: boolean;
}

/** The longest name of a token. */
const longestName = 80;

/** The scopes that a person needs: none to manage anything, nor to read events. */
const scopes = ['standups:read', 'standups:write', 'teams:read', 'members:read', 'members:write'];
/** The scope to post for others, which an import needs. */
export const importScope = 'standups:write_any';

/** The pause between two questions for the token (s). Without one in the answer it is that of RFC 8628. */
const pause = {usual: 5, least: 3, most: 60};
/** How long the command asks for the token (s). */
const codeLasts = {usual: 600, least: 1, most: 1_800};

export async function login(
  outside: Outside,
  given: string | undefined,
  options: LoginOptions,
): Promise<void> {
  const {withToken = false, team, forImport = false} = options;
  const profileName = options.profile ?? defaultProfile;
  const profile = readProfile(outside, profileName);
  const address = given ?? outside.env['STANDUP_URL'] ?? profile.url;
  if (!address)
    throw new CommandError(
      'usage',
      'Name the address of the service: standup login https://standup.example.com',
    );
  const url = parseAddress(address);
  if (!isPrivateAddress(url))
    outside.warn(`The connection to ${url} is not encrypted: others can read your token.\n`);
  // A file that is refused is found before the token is made.
  readToken(outside, profileName, url);
  const token = withToken
    ? await readGivenToken(outside)
    : await askForApproval(outside, url, forImport ? [...scopes, importScope] : scopes);
  const {client} = connect(outside, {url, token});
  const me = need(await client.GET('/v1/me'));
  saveToken(outside, profileName, url, token);
  saveProfile(outside, profileName, {...profile, url, ...(team !== undefined && {team})});
  outside.print(
    `You are signed in to ${line(me.workspace.name)} as ${line(me.principal.name)}. Post with: standup post\n`,
  );
}

async function readGivenToken({readInput}: Outside): Promise<string> {
  const token = (await readInput())?.trim();
  if (!token) throw new CommandError('usage', 'Pipe the token in: standup login URL --with-token < FILE');
  if (/[^\x21-\x7e]/.test(token))
    throw new CommandError('usage', 'This is no access token: it has spaces, or several lines.');
  return token;
}

/** Asks for a token by a code that the user types at the dashboard (the messages of RFC 8628). */
async function askForApproval(outside: Outside, url: string, scopes: readonly string[]): Promise<string> {
  const name = `standup on ${outside.hostname}`.slice(0, longestName);
  const {status, answer: started} = await send(outside, `${url}/app/device`, {name, scopes});
  const {device_code: code, user_code: userCode, verification_uri: page} = started;
  const isStarted = typeof code === 'string' && typeof userCode === 'string' && typeof page === 'string';
  if (status !== 200 || !isStarted) {
    const said = typeof started['detail'] === 'string' ? `: ${started['detail']}` : '.';
    throw new CommandError(
      'refused',
      `${url} does not offer this sign-in${said}\nUse a token from the dashboard: standup login ${url} --with-token < FILE`,
    );
  }
  outside.print(
    `Open ${line(page)} and enter this code:\n\n  ${outside.emphasize(line(userCode), 'bold')}\n\n`,
  );
  const host = URL.parse(page)?.host ?? page;
  if (host !== new URL(url).host) {
    // This service may pass on the code of another one, to get the access there.
    outside.warn(
      `This page is not of ${url}, but of ${line(host)}. If you enter the code there, the people who run ${url} can use it in your name.\n`,
    );
  } else if (outside.isInteractive) await openInBrowser(outside, page);
  const until = outside.now() + readSeconds(started['expires_in'], codeLasts) * 1_000;
  let seconds = readSeconds(started['interval'], pause);
  while (outside.now() < until) {
    await outside.sleep(seconds * 1_000);
    const asked = await send(outside, `${url}/app/device/token`, {device_code: code}).catch(ignoreSilence);
    if (asked === undefined) continue;
    const {access_token: token, error} = asked.answer;
    if (typeof token === 'string') return token;
    if (error === 'access_denied') {
      throw new CommandError('forbidden', 'The sign-in was declined in the dashboard.');
    }
    if (error === 'slow_down') seconds += 5;
    else if (error !== 'authorization_pending') break;
  }
  throw new CommandError('refused', 'The code is no longer valid. Run `standup login` again.');
}

/** Reads a number of seconds that the service has chosen, within bounds. */
function readSeconds(value: unknown, {usual, least, most}: typeof pause): number {
  return typeof value === 'number' ? Math.min(Math.max(value, least), most) : usual;
}

/** The user may need minutes: the service may be silent for some of them. */
function ignoreSilence(error: unknown): undefined {
  if (error instanceof CommandError && error.reason === 'unreachable') return undefined;
  throw error;
}

/** Sends a request of the sign-in, which has no token. */
async function send(outside: Outside, address: string, body: object) {
  const headers = {'content-type': 'application/json'};
  const request = new Request(address, {method: 'POST', headers, body: JSON.stringify(body)});
  const response = await sendWithRetries(outside, request);
  const answer: unknown = response.status === 204 ? {} : await response.json();
  return {status: response.status, answer: answer as Readonly<Record<string, unknown>>};
}

/** Ends the sign-in here, and revokes the token if it may do so. */
export async function logout(outside: Outside, options: GlobalOptions): Promise<void> {
  if (outside.env['STANDUP_TOKEN']) {
    throw new CommandError('usage', 'The token is in STANDUP_TOKEN. Remove it there.');
  }
  const {client, token, url, profileName} = openSession(outside, options);
  const isRevoked = await revoke().catch((error: unknown) => {
    if (error instanceof CommandError) return false;
    throw error;
  });
  saveToken(outside, profileName, url, undefined);
  forgetKnownValues(outside, profileName);
  outside.print('You are signed out.\n');
  if (!isRevoked)
    outside.warn(`The token was deleted here, but is valid until it is revoked: ${url}/app, under Tokens.\n`);

  /** A token of this sign-in may revoke itself. Another one needs the scope for that. */
  async function revoke(): Promise<boolean> {
    const {status} = await send(outside, `${url}/app/device/revoke`, {token});
    if (status === 204 || status === 401) return true;
    const params = {
      path: {token: readClaim(token, 'jti') ?? ''},
      header: {'Idempotency-Key': outside.createId()},
    };
    const {response} = await client.DELETE('/v1/tokens/{token}', {params});
    return response.ok || response.status === 401;
  }
}
