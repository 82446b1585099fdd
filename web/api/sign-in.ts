// How this browser gets a session: by a link, an invite, or another proof. Only the pages for that load it.
import {callSession, clearSession, forgetToken, getToken} from './session.ts';
import {sendToOtherTabs} from './tabs.ts';

/** Gets a session for this browser. Signs out the person who was signed in here before. */
export async function startSession(path: string, proof: object): Promise<void> {
  await callSession('POST', path, proof);
  clearSession();
  sendToOtherTabs({kind: 'signed-in'});
}

/** Replaces the session by a confirmed one of the same person. The page stays as it is. */
export async function confirmSession(proof: object): Promise<void> {
  const token = await getToken();
  await callSession('POST', '/app/session', {...proof, confirm: true});
  forgetToken(token);
  await getToken();
}

/** The member that a sign-in link signs in, and the workspace. */
export interface OfferedLink {
  readonly member: {readonly id: string; readonly name: string; readonly role: string};
  readonly workspace: {readonly id: string; readonly slug: string; readonly name: string};
  readonly expires_at: string;
}

export function fetchSignInLink(link: string): Promise<OfferedLink> {
  return callSession('POST', '/app/session', {link, look: true}) as Promise<OfferedLink>;
}

/** Redeems a sign-in link. */
export function signIn(link: string): Promise<void> {
  return startSession('/app/session', {link});
}

/** An invite as the holder of its link sees it. */
export interface OfferedInvite {
  readonly workspace: {readonly id: string; readonly slug: string; readonly name: string};
  /** `member`: the invited address is that of a member by now. */
  readonly state: 'open' | 'used' | 'expired' | 'revoked' | 'blocked' | 'member';
  /** The invited address without most of its letters; null for a link. */
  readonly email: string | null;
  /** The domain of the addresses that can join by a link. */
  readonly email_domain: string | null;
  readonly role: string;
  readonly teams: readonly {readonly id: string; readonly slug: string; readonly name: string}[];
  readonly invited_by: string | null;
  /** True if a person without an account proves an address by a code. */
  readonly needs_code: boolean;
  /** True if a person without an account can join only through a provider. */
  readonly needs_provider: boolean;
  /** The ids of the providers with which a person without an account can join. */
  readonly providers: readonly string[];
  readonly expires_at: string;
}

export function fetchInvite(link: string): Promise<OfferedInvite> {
  return callSession('POST', '/app/invite', {link, look: true}) as Promise<OfferedInvite>;
}

/** Makes the person a member and signs them in. The same `key` finishes a join whose answer was lost. */
export function joinByInvite(person: {
  readonly link: string;
  readonly name: string;
  readonly timezone: string | null;
  readonly locale: string;
  readonly key: string;
  readonly email?: string;
  readonly code?: string;
}): Promise<void> {
  return startSession('/app/invite', person);
}

/** Leaves for a provider, which proves the address with which a person joins. The invite goes along. */
export async function joinByProvider(person: {
  readonly link: string;
  readonly provider: string;
  readonly timezone: string | null;
  readonly locale: string;
  readonly key: string;
}): Promise<void> {
  const left = (await callSession('POST', '/app/invite', person)) as {readonly location: string};
  location.assign(left.location);
}

/** Mails a code to an address, with which a person joins by a link. */
export async function askToProve(given: {readonly link: string; readonly email: string}): Promise<void> {
  await callSession('POST', '/app/invite', given);
}

/** Mails a code, if anybody has the address; without one, to the person who is signed in. */
export async function askForCode(subject: {
  readonly email?: string;
  readonly workspace?: string;
}): Promise<void> {
  await callSession('POST', '/app/session/code', subject);
}

/** Signs in with a mailed code. */
export function signInByCode(given: {
  readonly email?: string;
  readonly workspace?: string;
  readonly code: string;
}): Promise<void> {
  return startSession('/app/session', given);
}
