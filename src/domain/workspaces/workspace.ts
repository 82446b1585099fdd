import type {HolidayChoice} from '../absences/absence.js';
import {addDays, toInstant} from '../core/dates.js';
import type {Resource} from '../core/resource.js';
import type {PromptAt} from '../schedules/schedule.js';

export interface Workspace extends Resource<'workspace'> {
  readonly object: 'workspace';
  readonly slug: string;
  readonly name: string;
  /** The number of days for which standups are kept; null for no limit. */
  readonly retention_days: number | null;
}

/** The command that creates the first workspace, as it is shown to people. */
export const firstWorkspaceCommand = 'standup workspace create NAME --owner EMAIL';

/**
 * Returns the oldest date of which a workspace with this retention still has the texts, in any time zone, at
 * an instant (ms).
 */
export function findFirstRetainedDate(days: number, now: number): string {
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
 * A workspace as it is shown. Its connection to Slack depends on the settings of this installation, so it is
 * not part of a revision.
 */
export interface ShownWorkspace extends Workspace {
  readonly slack: {readonly connected: boolean};
  readonly storage: WorkspaceStorage;
}

/** The storage that a workspace uses, rounded up to a whole step, and its limit; null for no limit. */
export interface WorkspaceStorage {
  readonly used_bytes: number;
  readonly limit_bytes: number | null;
}

/**
 * The size of a step in bytes. With smaller steps, the entity tag of a workspace would change with every
 * post.
 */
export const storageStep = 64 * 1024;

/** A person in a workspace. Members post only for their own teams, and may be linked to a Slack user. */
export interface Member extends Resource<'member'> {
  readonly object: 'member';
  readonly name: string;
  /** The email address in lower case. The address and the Slack user are unique in the workspace. */
  readonly email: string | null;
  readonly role: MemberRole;
  /**
   * The origin of the role. A role from Slack ends when the person is no longer an admin there; a chosen one
   * stays.
   */
  readonly role_source: 'slack' | 'chosen';
  readonly timezone: string | null;
  /**
   * The origin of the time zone. A zone from Slack follows the Slack profile; a chosen one stays. Null
   * without a time zone.
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
   * The start of the quiet hours (`HH:MM`) in the person's time zone; both null for none. Messages due in
   * them come at their end.
   */
  readonly quiet_from: string | null;
  readonly quiet_until: string | null;
  /** The times at which the person is asked for standups; null to use the setting of each team. */
  readonly prompt_at: PromptAt | null;
}

/** Returns when a member is asked for a team's standup: by their own choice, or by the team's setting. */
export function findPromptTime(
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

/** An account of a program, which acts in its own name. */
export interface ServiceAccount extends Resource<'service_account'> {
  readonly object: 'service_account';
  readonly name: string;
}
