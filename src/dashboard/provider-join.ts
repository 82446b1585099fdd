import {cleanName} from '../domain/core/clean-name.js';
import {deadlines, limits} from '../domain/core/limits.js';
import {findTextError} from '../domain/core/text.js';
import {SignInRefused, type VouchedAddress} from '../domain/tokens/sign-in.js';
import type {NewPerson} from '../service/invites/join-by-invite.js';
import type {MadeSession} from '../service/tokens/make-session.js';
import type {SessionRequest, SignInRequest} from '../service/tokens/sessions.js';
import type {DashboardContext} from './context.js';

/** The page that shows an invite. */
export const joinPage = '/app/join';

/** An invite that a person takes to an identity provider, with what their browser says about them. */
export interface Invited extends Pick<NewPerson, 'timezone' | 'locale' | 'key'> {
  readonly link: string;
}

/** People who join by one invite wait for each other, so a join may take as long as a job. */
export function extendForJoin(signInRequest: SignInRequest): SignInRequest {
  return {...signInRequest, deadline: signInRequest.deadline + deadlines.job - deadlines.request};
}

/** Makes a member of a person with a verified address, if they came with an invite. Errors: `SignInRefused`. */
export async function joinByProvider(
  {invites}: DashboardContext,
  invited: Invited | undefined,
  {workspace, email, name = ''}: VouchedAddress,
  session: SessionRequest,
  signInRequest: SignInRequest,
): Promise<MadeSession> {
  if (invited === undefined) throw new SignInRefused('unknown_person');
  const {link, ...person} = invited;
  const proven = await invites.requireInvite(link, signInRequest);
  if (proven.workspace !== workspace) throw new SignInRefused('unknown_workspace');
  const joined = {...person, name: chooseName(name, email), vouched: email};
  return invites.joinByInvite(proven, joined, session, extendForJoin(signInRequest));
}

/** Chooses the name of a new member: the one that the provider gives, or the first part of the address. */
function chooseName(given: string, email: string): string {
  const name = given.trim();
  return findTextError(name, limits.name) === undefined
    ? name
    : cleanName(email.slice(0, email.lastIndexOf('@')).slice(0, limits.name));
}
