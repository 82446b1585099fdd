import type {Caller, RequestContext} from '../../domain/core/access.js';
import {AppError, fieldError, notFound} from '../../domain/core/errors.js';
import {suffixOf, isId, type Id} from '../../domain/core/ids.js';
import type {SlackMessage} from '../../domain/slack/slack-post.js';
import type {Standup, ShownStandup} from '../../domain/standups/standup.js';
import {emptyThread, presentThread, type Thread} from '../../domain/standups/thread.js';
import type {Team} from '../../domain/teams/team.js';
import {readIdOfWireJson, type WireJson, addFieldsToWireJson} from '../../domain/core/resource.js';
import type {ServiceContext} from '../core/context.js';
import type {TeamReader} from '../core/reach.js';

/** A standup with its team, and the version of the team list from which the team was read. */
export interface StandupWithTeam {
  readonly standup: Standup;
  readonly team: Team;
  readonly version: string;
}

export function createStandupFinder({records, teams, slackPosts, threads}: ServiceContext) {
  /**
   * Finds a standup. A standup of a deleted team counts as deleted, even while the job that removes it is
   * running. Errors: `not_found`.
   */
  async function requireStandup(access: Caller, id: string): Promise<StandupWithTeam> {
    const {workspace, deadline} = access;
    if (!isId('standup', id)) throw notFound('standup');
    const [standup, directory] = await Promise.all([records.find(workspace, id, deadline), teams.of(access)]);
    const team = standup && directory.byReference(standup.team_id);
    if (standup === undefined || team === undefined) throw notFound('standup');
    return {standup, team, version: directory.version};
  }

  return {
    requireStandup,
    /** Finds the standup that a field of a body names. Errors: `validation_failed`. */
    async requireNamedStandup(access: Caller, id: string, field: string): Promise<StandupWithTeam> {
      try {
        return await requireStandup(access, id);
      } catch (error) {
        if (!isMissing(error)) throw error;
        const detail = `There is no standup "${id}" in this workspace.`;
        throw fieldError('validation_failed', `#/${field}`, detail);
      }
    },
    async findSlackMessage(
      {workspace, deadline}: RequestContext,
      id: Id<'standup'>,
    ): Promise<SlackMessage | null> {
      const [message = null] = await slackPosts.listMessages(workspace, [suffixOf(id)], deadline);
      return message;
    },
    async findThread({workspace, deadline, principal}: TeamReader, id: Id<'standup'>): Promise<Thread> {
      const [thread = emptyThread] = await threads.list(workspace, [suffixOf(id)], deadline);
      return presentThread(thread, principal?.id);
    },
  };
}

/** True for the error about something that is not there, or that its reader may not see. */
export function isMissing(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not_found';
}

/** The fields of a standup that are shown beside its revision. */
export type ShownFields = Pick<ShownStandup, 'slack' | 'thread'>;

/** The fields of a standup that has just been posted. */
export const fieldsOfNewStandup: ShownFields = {slack: null, thread: emptyThread};

/** Adds what they show beside their revisions to standups in JSON, with one read of each kind for all of them. */
export function createShownFieldAdder({slackPosts, threads}: Pick<ServiceContext, 'slackPosts' | 'threads'>) {
  return async function addShownFields(
    {workspace, deadline, principal}: TeamReader,
    rows: readonly WireJson<Standup>[],
  ): Promise<WireJson<ShownStandup>[]> {
    const suffixes = rows.map((json) => suffixOf<'standup'>(readIdOfWireJson(json)));
    const [messages, found] = await Promise.all([
      slackPosts.listMessages(workspace, suffixes, deadline),
      threads.list(workspace, suffixes, deadline),
    ]);
    return rows.map((json, i) => {
      const thread = presentThread(found[i] ?? emptyThread, principal?.id);
      return addFieldsToWireJson(json, {slack: messages[i] ?? null, thread});
    });
  };
}

/** Returns those of the standups that are still there. */
export async function findRemainingStandups(
  records: ServiceContext['records'],
  {workspace, deadline}: RequestContext,
  ids: readonly Id<'standup'>[],
): Promise<ReadonlySet<Id<'standup'>>> {
  const found = await records.findMany(workspace, [...new Set(ids)], deadline);
  return new Set(found.flatMap((standup) => standup?.id ?? []));
}
