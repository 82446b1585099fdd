// Looks at what people's statuses in Slack say while a run waits for them.
import type {WebClient} from '@slack/web-api';
import {everyScope} from '../../../domain/core/access.js';
import type {Id, IdSuffix} from '../../../domain/core/ids.js';
import {deadlines} from '../../../domain/core/limits.js';
import type {Log} from '../../../domain/core/log.js';
import {type Perform, type Work, workName} from '../../../domain/core/work.js';
import {listOpenLines, type PromptState} from '../../../domain/prompts/prompt.js';
import type {SlackStatus, StatusQuestion} from '../../../domain/slack/away-status.js';
import {slackDoorkeeper} from '../../../domain/slack/slack-installation.js';
import type {Services} from '../../../service/services.js';
import type {SlackInstallations} from '../../../service/slack/slack-installations.js';
import type {ShowingContext} from '../../showing/context.js';
import type {SlackClients} from '../core/clients.js';
import {findProfile, type SlackPerson} from '../core/profiles.js';
import {resolveWithin} from '../core/resolve-within.js';

/** The time (ms) for which a reminder waits for Slack to say what the status is. */
const reminderMs = 1_500;

/** The time (ms) after which a run's job continues if its process has ended. */
const againMs = 60_000;

/** The number of look-ups in a row without an answer of Slack, after which a run's job ends. */
const mostSilent = 3;

const method = 'users.info';

type RunWork = Extract<Work, {kind: 'look-at-statuses'}>;

/** Looks at a member's status before a reminder is sent. Returns true if the reminder changes. Never rejects. */
export type LookAtStatus = (
  workspace: Id<'workspace'>,
  user: string,
  state: Pick<PromptState, 'member' | 'lines'>,
) => Promise<boolean>;

export interface StatusLookParts extends Pick<ShowingContext, 'ready' | 'prompts' | 'posts'> {
  readonly installations: SlackInstallations;
  readonly clients: SlackClients;
  readonly services: Services;
  /** The time (ms) between two calls of a workspace, after the first ten. Slack allows 100 a minute. */
  readonly spacingMs: number;
  readonly now: () => number;
  readonly log: Log;
}

export function createStatusLooks(parts: StatusLookParts) {
  const {ready, prompts, posts, installations, clients, spacingMs, now, log} = parts;
  const {awayStatuses} = parts.services;

  const call = (workspace: Id<'workspace'>) =>
    ({
      workspace,
      principal: slackDoorkeeper,
      scopes: everyScope,
      deadline: within(),
      entryPoint: 'slack',
    }) as const;

  async function findClient(workspace: Id<'workspace'>): Promise<WebClient | undefined> {
    const installation = await installations.findOf(workspace, within());
    return installation && clients.forJobs(installation);
  }

  const lookAtStatus: LookAtStatus = async (workspace, user, state) => {
    try {
      if (listOpenLines(state).length === 0) return false;
      const question = await awayStatuses.findQuestion({workspace, deadline: within()}, user, state);
      const client = question && (await findClient(workspace));
      if (question === undefined || client === undefined) return false;
      // While other looks wait, the job of the run looks later, and the reminder is edited.
      if ((await posts.takeSlot(workspace, {method, intervalMs: spacingMs}, within())) > 0) return false;
      const person = await resolveWithin(findProfile(client, user), reminderMs);
      if (person === undefined) return false;
      const seen = await awayStatuses.noteStatus(call(workspace), question, readStatus(person));
      return seen.away || seen.emoji;
    } catch (error) {
      log.warn({workspace, error: String(error)}, 'could not look at a status in Slack');
      return false;
    }
  };

  /** Lets the reminder of a member show what their status says, if it was sent before. */
  async function refreshReminder(workspace: Id<'workspace'>, run: IdSuffix<'run'>, {user}: StatusQuestion) {
    const sent = (await prompts.listOfRun(workspace, run, within())).filter((prompt) => prompt.user === user);
    if (sent.length > 0) await prompts.ask(workspace, sent, within());
  }

  /** Looks at the statuses for a run, as many as a time slice allows, and never again at the same one. */
  const lookForRun: Perform<RunWork> = async ({workspace, work, until, signal}) => {
    // A process that ends, and a failure, leave the rest to a later slice.
    await ready.reschedule(workspace, work, now() + againMs, within());
    const end = async () => {
      await ready.reschedule(workspace, work, undefined, within());
      return {more: false};
    };
    const client = await findClient(workspace);
    if (client === undefined) return end();
    let silent = 0;
    for (const question of await awayStatuses.listUnlooked({workspace, deadline: within()}, work.run)) {
      if (signal.aborted) return {more: false};
      if (performance.now() >= until) {
        await ready.reschedule(workspace, work, now(), within());
        return {more: true};
      }
      const behind = workName(work);
      const waitMs = await posts.takeSlot(workspace, {method, behind, intervalMs: spacingMs}, within());
      if (waitMs > 0) {
        await ready.reschedule(workspace, work, now() + waitMs, within());
        return {more: false};
      }
      const person = await findProfile(client, question.user);
      // A look without an answer counts too. Otherwise, each slice would begin again with the same people.
      const status = person === undefined ? noStatus : readStatus(person);
      const {emoji} = await awayStatuses.noteStatus(call(workspace), question, status);
      silent = person === undefined ? silent + 1 : 0;
      if (silent >= mostSilent) return end();
      if (emoji) await refreshReminder(workspace, work.run, question);
    }
    return end();
  };

  return {lookAtStatus, lookForRun};
}

const noStatus: SlackStatus = {emoji: '', endsAt: undefined};

/** Reads the emoji of a status and its end, and nothing else. Slack: 0 is a status without an end. */
function readStatus({profile}: SlackPerson): SlackStatus {
  const {status_emoji: emoji = '', status_expiration: end = 0} = profile ?? {};
  return {emoji, endsAt: end > 0 ? end * 1_000 : undefined};
}

function within(): number {
  return performance.now() + deadlines.job;
}
