import type {HolidayChoice} from '../absences/absence.js';
import {addDays, toInstant} from '../core/dates.js';
import type {Resource} from '../core/resource.js';
import type {PromptAt} from '../schedules/schedule.js';

export interface Workspace extends Resource<'workspace'> {
  readonly object: 'workspace';
  readonly slug: string;
  readonly name: string;
  /** Days for which people's texts are kept; null: until a person deletes them. */
  readonly retention_days: number | null;
}

/** The command that makes the first workspace of an installation, as people are shown it. */
export const firstWorkspaceCommand = 'standup workspace create NAME --owner EMAIL';

/**
 * The first date of which a workspace that keeps texts for so many days still has them at an instant (ms), in
 * whatever zone a team is.
 */
export function firstRetainedDate(days: number, now: number): string {
  return addDays(toInstant(now).slice(0, 10), -days - 1);
}

export const memberRoles = ['owner', 'admin', 'member'] as const;

export type MemberRole = (typeof memberRoles)[number];

const ranks: Readonly<Record<MemberRole, number>> = {member: 0, admin: 1, owner: 2};

/** True when the new role has fewer rights than the old one. */
export function isDemotion(before: MemberRole, after: MemberRole): boolean {
  return ranks[after] < ranks[before];
}

/**
 * A workspace as it is shown: its connection to Slack depends on how this installation is set up, so it is no
 * part of a revision.
 */
export interface ShownWorkspace extends Workspace {
  readonly slack: {readonly connected: boolean};
  readonly storage: WorkspaceStorage;
}

/** The storage that a workspace uses, rounded up to the next whole step, and its limit; null: no limit. */
export interface WorkspaceStorage {
  readonly used_bytes: number;
  readonly limit_bytes: number | null;
}

/** Bytes. With a finer step, the entity tag of a workspace would change with every post. */
export const storageStep = 64 * 1024;

/** A person. Posts only for teams they are in; may be linked to a Slack user. */
export interface Member extends Resource<'member'> {
  readonly object: 'member';
  readonly name: string;
  /** In lower case; unique in the workspace, as is the Slack user. */
  readonly email: string | null;
  readonly role: MemberRole;
  /**
   * The origin of the role: a role from Slack goes when they no longer run the Slack workspace, a chosen one
   * stays.
   */
  readonly role_source: 'slack' | 'chosen';
  readonly timezone: string | null;
  /**
   * The origin of the zone: a zone from Slack follows the profile there, a chosen one stays. Null without a
   * zone.
   */
  readonly timezone_source: 'slack' | 'chosen' | null;
  readonly slack_user_id: string | null;
  readonly reminders: ReminderChoice;
  readonly holidays: HolidayChoice;
}

/** A person's choice of reminders in Slack. */
export interface ReminderChoice {
  readonly enabled: boolean;
  /**
   * Nothing is sent between these times (`HH:MM`) in their own time zone; both null for no such hours.
   * Messages due then come at their end.
   */
  readonly quiet_from: string | null;
  readonly quiet_until: string | null;
  /** When they are asked for their standup; null: as each of their teams says. */
  readonly prompt_at: PromptAt | null;
}

/** When a member is asked for the standup of a team: as they have chosen, or as the team says. */
export function promptTimeOf(
  {reminders}: {readonly reminders: Pick<ReminderChoice, 'prompt_at'>},
  team: {readonly prompt_at: PromptAt},
): PromptAt {
  return reminders.prompt_at ?? team.prompt_at;
}

export const memberDefaults = {
  role_source: 'chosen',
  reminders: {enabled: true, quiet_from: null, quiet_until: null, prompt_at: null},
  holidays: {country: null, region: null, calendar: null},
} as const satisfies Partial<Member>;

/** A program that acts in its own name. */
export interface ServiceAccount extends Resource<'service_account'> {
  readonly object: 'service_account';
  readonly name: string;
}
