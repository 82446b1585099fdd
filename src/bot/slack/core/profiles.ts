import {isBlank} from '../../../domain/core/text.js';
import type {UsersInfoResponse, WebClient} from '@slack/web-api';
import {isTimezone} from '../../../domain/core/dates.js';
import {limits} from '../../../domain/core/limits.js';
import type {SlackOrigin, SlackProfile} from '../../../domain/slack/slack-installation.js';
import {errorCodeOf} from './clients.js';
import {cutText} from '../../texts/cut-text.js';
import {AppError} from '../../../domain/core/errors.js';
import {translationFor} from '../blocks/slack-translation.js';

export type SlackPerson = NonNullable<UsersInfoResponse['user']> & {
  /** True for a person from another workspace, through Slack Connect. */
  readonly is_stranger?: boolean;
};

/** Returns the person's name from Slack's profile, or else from the request. */
export function readName(
  person: SlackPerson | undefined,
  {id, name}: {readonly id: string; readonly name: string},
): string {
  const names = [person?.profile?.display_name, person?.real_name, person?.name, name];
  return names.find((one) => one !== undefined && !isBlank(one)) ?? id;
}

/** Returns the person's IANA time zone, if Slack has one that this service knows. */
export function readTimeZone(person: SlackPerson | undefined): string | undefined {
  return person?.tz !== undefined && isTimezone(person.tz) ? person.tz : undefined;
}

/** Returns the locale of the person's Slack, such as `de-DE`, if valid. */
export function readLocale(person: SlackPerson | undefined): string | undefined {
  const locale = person?.locale ?? '';
  return /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/.test(locale) ? locale : undefined;
}

/** The maximum length of a picture's address, in UTF-16 code units; Slack's addresses have about 120. */
export const longestPicture = 300;

/** Returns the address of the picture in a profile; undefined if it is not on Slack's own host. */
export function readPictureAddress(person: SlackPerson | undefined): string | undefined {
  const address = person?.profile?.image_48 ?? '';
  const url = address.length > longestPicture ? null : URL.parse(address);
  if (url === null) return undefined;
  const {protocol, hostname, username, password, port} = url;
  const isSlacks = hostname === pictureHost || hostname.endsWith(`.${pictureHost}`);
  const isBare = username === '' && password === '' && port === '';
  return protocol === 'https:' && isSlacks && isBare ? address : undefined;
}

/** Pictures are loaded from Slack's own host only: any other host could learn who views a channel. */
const pictureHost = 'slack-edge.com';

/** Returns the fields of a new member. The e-mail address is used only if Slack has confirmed it. */
export function readProfile(
  person: SlackPerson | undefined,
  user: {readonly id: string; readonly name: string},
): SlackProfile {
  const email = person?.is_email_confirmed === true ? person.profile?.email?.trim() : undefined;
  const picture = readPictureAddress(person);
  const locale = readLocale(person);
  return {
    ...(picture !== undefined && {picture}),
    ...(locale !== undefined && {locale}),
    name: cutText(readName(person, user).trim(), limits.name),
    timezone: readTimeZone(person) ?? null,
    ...(email !== undefined && /^\S+@\S+$/.test(email) && email.length <= limits.email && {email}),
  };
}

/** True for an admin of our workspace or organisation. An outsider's fields may mean another one. */
export function isSlackAdmin(person: SlackPerson, home: SlackHome): boolean {
  if ('enterprise' in home) {
    const {is_admin: admin, is_owner: owner} = person.enterprise_user ?? {};
    return admin === true || owner === true;
  }
  return person.is_admin === true || person.is_owner === true || person.is_primary_owner === true;
}

/** The Slack id of the workspace, or of the whole organisation, that an installation serves. */
export type SlackHome = {readonly team: string} | {readonly enterprise: string};

export type Outsider = 'guest' | 'stranger' | 'bot' | 'deactivated';

/** Returns why a person may not use the bot. Slack does not mark every stranger, so we compare ids. */
export function findOutsiderKind(
  person: SlackPerson,
  home: SlackHome,
  origin: Partial<SlackOrigin> = {},
): Outsider | undefined {
  if (person.is_bot === true || person.id === 'USLACKBOT') return 'bot';
  if (person.deleted === true) return 'deactivated';
  if (person.is_stranger === true || !belongsToSlackHome(home, person, origin)) return 'stranger';
  return person.is_restricted === true || person.is_ultra_restricted === true ? 'guest' : undefined;
}

function belongsToSlackHome(
  home: SlackHome,
  {team_id: team, enterprise_user: inOrganisation}: SlackPerson,
  origin: Partial<SlackOrigin>,
): boolean {
  if ('enterprise' in home) {
    const ids = [inOrganisation?.enterprise_id ?? team, origin.enterprise || home.enterprise];
    return ids.every((id) => id === home.enterprise);
  }
  if (inOrganisation?.teams?.includes(home.team) === true) return true;
  return team === home.team && (origin.team || home.team) === home.team;
}

/** Returns a person's Slack profile; undefined when Slack does not answer. Never throws. */
export async function findProfile(client: WebClient, user: string): Promise<SlackPerson | undefined> {
  const answer = await requestProfile(client, user);
  return typeof answer === 'string' ? undefined : answer;
}

/** Returns a Slack profile, or Slack's error code if Slack will never show this person. Never throws. */
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

/** Thrown when Slack does not say who a person is, since we must not guess. */
export class SlackAway extends AppError {
  constructor() {
    super('service_unavailable', translationFor().texts.refusal.slackAway);
  }
}
