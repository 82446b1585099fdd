import type {UsersInfoResponse} from '@slack/web-api';
import {isTimezone} from '../domain/dates.js';
import {limits} from '../domain/limits.js';
import type {SlackInstallation, SlackProfile} from '../domain/slack-installation.js';
import {cutText} from './text.js';

/** A person as `users.info` shows them. */
export type SlackPerson = NonNullable<UsersInfoResponse['user']> & {
  /** From another workspace, by Slack Connect. */
  readonly is_stranger?: boolean;
};

/** By what a person is called, from what Slack tells of them and else from the request. */
export function nameOf(
  person: SlackPerson | undefined,
  {id, name}: {readonly id: string; readonly name: string},
): string {
  return person?.profile?.display_name || person?.real_name || person?.name || name || id;
}

/** The IANA zone of a person, where Slack tells one that is known here. */
export function zoneOf(person: SlackPerson | undefined): string | undefined {
  return person?.tz !== undefined && isTimezone(person.tz) ? person.tz : undefined;
}

/** What a member is made of. The e-mail address counts only when Slack has confirmed it. */
export function profileOf(
  person: SlackPerson | undefined,
  user: {readonly id: string; readonly name: string},
): SlackProfile {
  const email = person?.is_email_confirmed === true ? person.profile?.email?.trim() : undefined;
  return {
    name: cutText(nameOf(person, user).trim(), limits.name),
    timezone: zoneOf(person) ?? null,
    ...(email !== undefined && /^\S+@\S+$/.test(email) && email.length <= limits.email && {email}),
  };
}

/** Why somebody is not one of the people of the Slack workspace that is served; undefined for one who is, as far as Slack tells. */
export function outsiderKind(
  person: SlackPerson | undefined,
  {id}: Pick<SlackInstallation, 'id'>,
): 'guest' | 'stranger' | 'bot' | undefined {
  if (person === undefined) return undefined;
  const {enterprise_user: inOrganisation, team_id: team} = person;
  const elsewhere = id.startsWith('E')
    ? inOrganisation?.enterprise_id !== undefined && inOrganisation.enterprise_id !== id
    : id.startsWith('T') && team !== undefined && team !== id && !(inOrganisation?.teams ?? []).includes(id);
  if (person.is_stranger === true || elsewhere) return 'stranger';
  if (person.is_bot === true) return 'bot';
  return person.is_restricted === true || person.is_ultra_restricted === true ? 'guest' : undefined;
}
