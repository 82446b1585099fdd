import type {HolidayChoice} from '../absences/absence.js';
import {addDays, toInstant} from '../core/dates.js';
import type {Resource} from '../core/resource.js';
import type {PromptAt} from '../schedules/schedule.js';

export interface Workspace extends Resource<'workspace'> {
  readonly object: 'workspace';
  readonly slug: string;
  readonly name: string;
  /** How many days what people wrote is kept; null: until somebody deletes it. */
  readonly retention_days: number | null;
}

/** How an installation gets its first workspace, as people are told. */
export const firstWorkspaceCommand = 'standup workspace create NAME --owner EMAIL';

/**
 * The first day of which a workspace that keeps what people wrote for so many days still has it at an instant
 * (ms): wherever a team is.
 */
export function firstKeptDate(days: number, now: number): string {
  return addDays(toInstant(now).slice(0, 10), -days - 1);
}

export const memberRoles = ['owner', 'admin', 'member'] as const;

export type MemberRole = (typeof memberRoles)[number];

const ranks: Readonly<Record<MemberRole, number>> = {member: 0, admin: 1, owner: 2};

/** True when somebody may do less than before. */
export function isDemotion(before: MemberRole, after: MemberRole): boolean {
  return ranks[after] < ranks[before];
}

/**
 * As it is shown: whether Slack speaks for it depends on how this installation is set up, so it is no part
 * of a revision.
 */
export interface ShownWorkspace extends Workspace {
  readonly slack: {readonly connected: boolean};
  readonly storage: WorkspaceStorage;
}

/** How much of the store a workspace uses, up to the next whole step, and how much it may; null: no limit. */
export interface WorkspaceStorage {
  readonly used_bytes: number;
  readonly limit_bytes: number | null;
}

/** Bytes. Finer, the entity tag of a workspace would change with every post. */
export const storageStep = 64 * 1024;

/** A person. Posts only for teams they are in; may be linked to a Slack user. */
export interface Member extends Resource<'member'> {
  readonly object: 'member';
  readonly name: string;
  /** In lower case; unique in the workspace, as is the Slack user. */
  readonly email: string | null;
  readonly role: MemberRole;
  /**
   * The origin of the role: one from Slack goes when they run the Slack workspace no longer, one that
   * somebody has given stays.
   */
  readonly role_source: 'slack' | 'chosen';
  readonly timezone: string | null;
  /**
   * Where the zone is from: one from Slack follows the profile there, one that somebody has chosen stays.
   * Null without a zone.
   */
  readonly timezone_source: 'slack' | 'chosen' | null;
  readonly slack_user_id: string | null;
  readonly reminders: ReminderChoice;
  readonly holidays: HolidayChoice;
}

/** How somebody wants to be reminded in Slack. */
export interface ReminderChoice {
  readonly enabled: boolean;
  /**
   * Nothing is sent between these times (`HH:MM`) by their own clocks; both null for no such hours. What
   * falls there comes at their end.
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

/** What a member is before anybody has said otherwise. */
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
