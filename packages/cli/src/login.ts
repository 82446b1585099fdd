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
}

/** What a person needs: no scope to manage anything, nor to read events. */
const scopes = ['standups:read', 'standups:write', 'teams:read', 'members:read', 'members:write'];

export async function login(
  outside: Outside,
  given: string | undefined,
  options: LoginOptions,
): Promise<void> {
  const {withToken = false, team} = options;
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
  const token = withToken ? await readGivenToken(outside) : await askForApproval(outside, url);
  const {client} = connect(outside, {url, token});
  const me = need(await client.GET('/v1/me'));
  saveToken(outside, profileName, url, token);
  saveProfile(outside, profileName, {...profile, url, ...(team !== undefined && {team})});
  outside.print(`You are signed in to ${line(me.workspace.name)} as ${line(me.principal.name)}.\n`);
}

async function readGivenToken({readInput}: Outside): Promise<string> {
  const token = (await readInput())?.trim();
  if (!token) throw new CommandError('usage', 'Pipe the token in: standup login URL --with-token < FILE');
  if (/[^\x21-\x7e]/.test(token))
    throw new CommandError('usage', 'This is no access token: it has spaces, or several lines.');
  return token;
}

/** Asks for a token by a code that the user types at the dashboard (the messages of RFC 8628). */
async function askForApproval(outside: Outside, url: string): Promise<string> {
  const ask = async (path: string, body: object) => {
    const request = new Request(`${url}/app/device${path}`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify(body),
    });
    const response = await sendWithRetries(outside, request);
    return {status: response.status, answer: (await response.json()) as Readonly<Record<string, unknown>>};
  };
  const {status, answer: started} = await ask('', {
    name: `standup on ${outside.hostname}`.slice(0, 80),
    scopes,
  });
  const {device_code: code, user_code: userCode, verification_uri: page} = started;
  const isStarted = typeof code === 'string' && typeof userCode === 'string' && typeof page === 'string';
  if ((status !== 200 && status !== 201) || !isStarted) {
    const said = typeof started['detail'] === 'string' ? `: ${started['detail']}` : '.';
    throw new CommandError(
      'refused',
      `${url} does not offer this sign-in${said}\nUse a token from the dashboard: standup login ${url} --with-token < FILE`,
    );
  }
  outside.print(
    `Open ${line(page)} and enter this code:\n\n  ${outside.emphasize(line(userCode), 'bold')}\n\n`,
  );
  if (outside.isInteractive) await openInBrowser(outside, page);
  const until = outside.now() + Number(started['expires_in'] ?? 600) * 1_000;
  let interval = Number(started['interval'] ?? 3);
  while (outside.now() < until) {
    await outside.sleep(interval * 1_000);
    const {answer} = await ask('/token', {device_code: code});
    if (typeof answer['access_token'] === 'string') return answer['access_token'];
    switch (answer['error']) {
      case 'authorization_pending':
        break;
      case 'slow_down':
        interval += 5;
        break;
      case 'access_denied':
        throw new CommandError('forbidden', 'The sign-in was declined in the dashboard.');
      default:
        throw new CommandError('refused', 'The code is no longer valid. Run `standup login` again.');
    }
  }
  throw new CommandError('refused', 'No one entered the code in time. Run `standup login` again.');
}

/** Ends the sign-in here, and revokes the token if it may do so. */
export async function logout(outside: Outside, options: GlobalOptions): Promise<void> {
  if (outside.env['STANDUP_TOKEN']) {
    throw new CommandError('usage', 'The token is in STANDUP_TOKEN. Remove it there.');
  }
  const {client, token, url, profileName} = openSession(outside, options);
  const id = readClaim(token, 'jti') ?? '';
  const header = {'Idempotency-Key': outside.createId()};
  let isRevoked = true;
  try {
    const {response} = await client.DELETE('/v1/tokens/{token}', {params: {path: {token: id}, header}});
    isRevoked = response.ok || response.status === 401;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    isRevoked = false;
  }
  saveToken(outside, profileName, url, undefined);
  outside.print('You are signed out.\n');
  if (!isRevoked)
    outside.warn(`The token was deleted here, but is valid until it is revoked: ${url}/app, under Tokens.\n`);
}
