// Joining by an invite: `POST /app/invite`, for people without an account. A member accepts with the API.
import {languages} from '../domain/core/compiled/languages.js';
import {limits} from '../domain/core/limits.js';
import {isTimezone} from '../domain/core/dates.js';
import {findTextError} from '../domain/core/text.js';
import type {NewPerson} from '../service/invites/join-by-invite.js';
import type {ChangeHandlers} from './answer.js';
import {createBodyError, readFields} from './body.js';
import type {BrowserSessions} from './browser-sessions.js';
import {extendForJoin, type Invited} from './provider-join.js';
import type {createSignInHandler} from './sign-in.js';
import {answerThenMail, readCode, readCodeSubject} from './codes.js';
import type {DashboardContext} from './context.js';

/**
 * A request about an invite: to look at it; with an address, to prove it; with a provider, to go there; with a
 * person, to join.
 */
interface InviteRequest {
  readonly link: string;
  readonly email?: string;
  readonly leave?: {readonly provider: string; readonly invited: Invited};
  readonly person?: NewPerson;
}

export function createInviteHandlers(
  {invites, readJson, countAskedCode, signIn: {providers}}: DashboardContext,
  {withSlot, describeBrowser, presentSession}: BrowserSessions,
  {leaveToJoin}: ReturnType<typeof createSignInHandler>,
): ChangeHandlers {
  return {
    '/app/invite': {
      async POST(request, signInRequest) {
        const {link, email, leave, person} = readInviteRequest(await readJson(request));
        const proven = await invites.requireInvite(link, signInRequest);
        if (email !== undefined) {
          const tooMany = await countAskedCode(request.ip, signInRequest.deadline);
          if (tooMany !== undefined) throw tooMany;
          const mail = await invites.askToProve(proven, {link, email}, signInRequest);
          return answerThenMail('askToProveAddress', mail);
        }
        if (leave !== undefined) return leaveToJoin(request, leave.provider, leave.invited, signInRequest);
        return withSlot(proven.workspace, signInRequest, async () => {
          if (person === undefined) {
            const look = await invites.lookAtInvite(proven, signInRequest);
            const admitting = providers.filter(({admits}) => admits(look.workspace, look.role));
            const body = {...look, providers: admitting.map(({id}) => id)};
            return {operation: 'lookAtInvite', status: 200, body};
          }
          const asked = await describeBrowser(request, signInRequest);
          const made = await invites.joinByInvite(proven, person, asked, extendForJoin(signInRequest));
          return presentSession('joinByInvite', proven.workspace, made);
        });
      },
    },
  };
}

/** The id of a provider, as in the path of a sign-in. */
const providerPattern = /^[a-z0-9-]{1,40}$/;

/** 128 random bits in base64url. */
const keyPattern = /^[\w-]{22}$/;

/** Reads the body of a request about an invite. Errors: `validation_failed`. */
function readInviteRequest(body: unknown): InviteRequest {
  const {
    link,
    look = false,
    name,
    timezone = null,
    locale = null,
    key,
    email,
    code,
    provider,
  } = readFields(body);
  if (typeof link !== 'string')
    throw createBodyError('link', 'must be what stands behind the # of an invite');
  if (typeof look !== 'boolean') throw createBodyError('look', 'must be true or false');
  if (look) return {link};
  const subject = readCodeSubject({email});
  if (subject !== undefined && name === undefined) return {link, email: subject.email};
  if (timezone !== null && (typeof timezone !== 'string' || !isTimezone(timezone)))
    throw createBodyError('timezone', 'must be an IANA time zone such as "Europe/Berlin", or null');
  const language = languages.find((one) => one === locale) ?? null;
  if (locale !== language) throw createBodyError('locale', `must be one of ${languages.join(', ')}, or null`);
  if (typeof key !== 'string' || !keyPattern.test(key))
    throw createBodyError('key', 'must be 128 random bits in base64url');
  const known = {timezone, locale: language, key};
  if (provider !== undefined) {
    if (typeof provider !== 'string' || !providerPattern.test(provider))
      throw createBodyError('provider', 'must be the id of a provider');
    return {link, leave: {provider, invited: {link, ...known}}};
  }
  const problem = typeof name === 'string' ? findTextError(name, limits.name) : 'must be a text';
  if (typeof name !== 'string' || problem !== undefined) throw createBodyError('name', problem ?? '');
  const proof = subject && {email: subject.email, code: readCode(code)};
  return {link, person: {name, ...known, proof}};
}
