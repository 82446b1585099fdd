import {isBlank} from '../../../domain/core/text.js';
import type {UsersInfoResponse, WebClient} from '@slack/web-api';
import {isTimezone} from '../../../domain/core/dates.js';
import {limits} from '../../../domain/core/limits.js';
import type {SlackOrigin, SlackProfile} from '../../../domain/slack/slack-installation.js';
import {errorCodeOf} from './clients.js';
import {cutText} from '../../texts/cut-text.js';

/** A person as `users.info` shows them. */
export type SlackPerson = NonNullable<UsersInfoResponse['user']> & {
  /** From another workspace, through Slack Connect. */
  readonly is_stranger?: boolean;
};

/** The person's name, from Slack's profile or else from the request. */
export function nameOf(
  person: SlackPerson | undefined,
  {id, name}: {readonly id: string; readonly name: string},
): string {
  const names = [person?.profile?.display_name, person?.real_name, person?.name, name];
  return names.find((one) => one !== undefined && !isBlank(one)) ?? id;
}

/** The person's IANA zone, if Slack has one that is known here. */
export function zoneOf(person: SlackPerson | undefined): string | undefined {
  return person?.tz !== undefined && isTimezone(person.tz) ? person.tz : undefined;
}

/** The locale of the person's Slack, such as `de-DE`, if it is one. */
export function localeOf(person: SlackPerson | undefined): string | undefined {
  const locale = person?.locale ?? '';
  return /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/.test(locale) ? locale : undefined;
}

/** The maximum length of an address that is kept, in UTF-16 code units; Slack's have about 120. */
export const longestPicture = 300;

/** The address of the picture in a profile; undefined for one that is not on Slack's own host. */
export function pictureOf(person: SlackPerson | undefined): string | undefined {
  const address = person?.profile?.image_48 ?? '';
  const url = address.length > longestPicture ? null : URL.parse(address);
  if (url === null) return undefined;
  const {protocol, hostname, username, password, port} = url;
  const isSlacks = hostname === pictureHost || hostname.endsWith(`.${pictureHost}`);
  const isBare = username === '' && password === '' && port === '';
  return protocol === 'https:' && isSlacks && isBare ? address : undefined;
}

/** Only Slack's own host: another host could learn who views a channel. */
const pictureHost = 'slack-edge.com';

/** The fields of a new member. The e-mail address counts only when Slack has confirmed it. */
export function profileOf(
  person: SlackPerson | undefined,
  user: {readonly id: string; readonly name: string},
): SlackProfile {
  const email = person?.is_email_confirmed === true ? person.profile?.email?.trim() : undefined;
  const picture = pictureOf(person);
  const locale = localeOf(person);
  return {
    ...(picture !== undefined && {picture}),
    ...(locale !== undefined && {locale}),
    name: cutText(nameOf(person, user).trim(), limits.name),
    timezone: zoneOf(person) ?? null,
    ...(email !== undefined && /^\S+@\S+$/.test(email) && email.length <= limits.email && {email}),
  };
}

/**
 * True for a person who runs the Slack workspace, or the organisation, that an installation serves. For a
 * person from elsewhere these fields refer to their own workspace: check `outsiderKind` first.
 */
export function isSlackAdmin(person: SlackPerson, home: SlackHome): boolean {
  if (person.deleted === true) return false;
  if ('enterprise' in home) {
    const {is_admin: admin, is_owner: owner} = person.enterprise_user ?? {};
    return admin === true || owner === true;
  }
  return person.is_admin === true || person.is_owner === true || person.is_primary_owner === true;
}

/** The workspace, or the whole organisation, whose people an installation serves, by Slack's id. */
export type SlackHome = {readonly team: string} | {readonly enterprise: string};

/** The reason for which a person is not served. */
export type Outsider = 'guest' | 'stranger' | 'bot';

/**
 * Undefined for a person of `home`. Slack marks only some people from elsewhere as strangers, not those who
 * share a channel, so a person's ids must belong to `home`. `origin`: of a request of theirs, which must not
 * come from elsewhere either.
 */
export function outsiderKind(
  person: SlackPerson,
  home: SlackHome,
  origin: Pick<SlackOrigin, 'team' | 'enterprise'> = {},
): Outsider | undefined {
  if (person.is_bot === true || person.id === 'USLACKBOT') return 'bot';
  if (person.is_stranger === true || !belongsToSlack(home, person, origin)) return 'stranger';
  return person.is_restricted === true || person.is_ultra_restricted === true ? 'guest' : undefined;
}

function belongsToSlack(
  home: SlackHome,
  {team_id: team, enterprise_user: inOrganisation}: SlackPerson,
  origin: Pick<SlackOrigin, 'team' | 'enterprise'>,
): boolean {
  if ('enterprise' in home) {
    const ids = [inOrganisation?.enterprise_id ?? team, origin.enterprise || home.enterprise];
    return ids.every((id) => id === home.enterprise);
  }
  if (inOrganisation?.teams?.includes(home.team) === true) return true;
  return team === home.team && (origin.team || home.team) === home.team;
}

/** A person's Slack profile; undefined when Slack does not answer. Never throws. */
export async function findProfile(client: WebClient, user: string): Promise<SlackPerson | undefined> {
  const answer = await requestProfile(client, user);
  return typeof answer === 'string' ? undefined : answer;
}

/** As `findProfile`, or the code with which Slack says finally that it shows no such person. Never throws. */
export async function requestProfile(
  client: WebClient,
  user: string,
): Promise<SlackPerson | 'user_not_found' | 'user_not_visible' | undefined> {
  try {
    return (await client.users.info({user, include_locale: true})).user;
  } catch (error) {
    const code = errorCodeOf(error);
    return code === 'user_not_found' || code === 'user_not_visible' ? code : undefined;
  }
}
