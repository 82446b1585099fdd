import {setTimeout as pause} from 'node:timers/promises';
import type {Id} from '../../../domain/core/ids.js';
import {deadlines} from '../../../domain/core/limits.js';
import type {Log} from '../../../domain/core/log.js';
import type {Services} from '../../../service/services.js';
import type {SlackInstallations} from '../../../service/slack/slack-installations.js';
import type {SlackClients} from '../core/clients.js';
import type {FollowProfile} from '../core/follow-profile.js';
import {requestProfile} from '../core/profiles.js';

/** Updates even members who never use the bot. `spacingMs`: Slack allows about 100 look-ups a minute. */
export function createProfileUpdates({
  installations,
  clients,
  services,
  followProfile,
  spacingMs,
  log,
}: {
  readonly installations: SlackInstallations;
  readonly clients: SlackClients;
  readonly services: Services;
  readonly followProfile: FollowProfile;
  readonly spacingMs: number;
  readonly log: Log;
}) {
  /** Updates a member from their Slack profile. Returns false when Slack did not answer. */
  async function updateFromProfile(workspace: Id<'workspace'>, user: string): Promise<boolean> {
    const installation = await installations.findOf(workspace, callDeadline());
    if (installation === undefined) return false;
    const client = clients.forJobs(installation);
    const person = await requestProfile(client, user);
    // If Slack does not show a person, nothing changes: the token may be that of another Slack workspace.
    if (typeof person === 'object') await followProfile({installation, client}, {...person, id: user});
    return person !== undefined;
  }

  async function updateAllMembers(workspace: Id<'workspace'>, signal: AbortSignal): Promise<void> {
    for (const user of await services.people.listSlackUsers({workspace, deadline: callDeadline()})) {
      if (signal.aborted || !(await updateFromProfile(workspace, user))) return;
      await pause(spacingMs, undefined, {signal}).catch(() => undefined);
    }
  }

  const unseen = (workspace: Id<'workspace'>) => (error: unknown) =>
    log.warn({workspace, error: String(error)}, 'could not check a Slack profile');

  return {
    /** Looks up every member, one by one. Stops early in a workspace for which Slack does not answer. */
    async all(signal: AbortSignal): Promise<void> {
      for await (const page of installations.listWorkspaces(callDeadline))
        for (const workspace of page) await updateAllMembers(workspace, signal).catch(unseen(workspace));
    },
    /** Looks up one member. Never rejects. */
    one: (workspace: Id<'workspace'>, user: string): Promise<void> =>
      updateFromProfile(workspace, user).then(() => undefined, unseen(workspace)),
  };
}

function callDeadline(): number {
  return performance.now() + deadlines.job;
}
