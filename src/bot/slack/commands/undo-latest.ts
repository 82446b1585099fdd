import type {RespondArguments} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import type {Caller} from '../../../domain/core/access.js';
import type {Standup} from '../../../domain/standups/standup.js';
import {privateAnswer} from '../blocks/blocks.js';
import {buildTeamWithoutChannel} from '../blocks/reach.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {slackKey} from '../core/slack-identities.js';
import {presentDeletionQuestion, type SavedFor} from '../answers/standup-answers.js';
import {undoStandup} from './undo.js';
import {findViewer} from '../core/requester.js';

/** The time (ms) after a post in which `undo` can only mean that post. */
const justNowMs = 5 * 60_000;
/** The maximum number of a person's teams in which today's standups are searched. */
const mostTeams = 25;

/**
 * Handles `/standup undo` and `/standup delete` for the latest standup of today, in all of its teams. Only a
 * very recent post is undone without a question. Errors: those of `identify`.
 */
export async function undoLatest(
  context: SlackContext,
  request: SlackRequest,
  {asks}: {readonly asks: boolean},
): Promise<RespondArguments> {
  const {translation} = request;
  const {slackWorkspace, member, deadline, access} = await findViewer(context, request);
  const teams =
    member === undefined ? [] : await context.identities.listTeams(slackWorkspace, member, deadline);
  const dates = await context.services.standups.findDates(access, teams.slice(0, mostTeams), member);
  const found = await listOwnStandups(context, access, dates);
  const [latest] = found;
  if (latest === undefined) return privateAnswer(translation.texts.typed.nothingToDelete);
  const together = found.filter(
    ({created_at: at, update}) => at === latest.created_at && update === latest.update,
  );
  const isJustNow = context.now() - Date.parse(latest.created_at) < justNowMs && !latest.edited;
  if (!asks && isJustNow && together.length === 1) {
    return undoStandup(context, request, latest, 'themselves', (call) => ({
      ...call,
      // Slack may send a command twice: the second one must not undo the standup before this one.
      idempotency: slackKey(call, 'command', request.commandKey ?? request.triggerId, 'undo'),
    }));
  }
  const shown: SavedFor[] = together.map((standup) => ({
    standup,
    team:
      slackWorkspace.directory.byReference(standup.team_id) ??
      buildTeamWithoutChannel(translation.texts.typed.goneTeam),
  }));
  return presentDeletionQuestion(translation, shown);
}

/** Returns the person's latest standup of today in each of these teams, newest first. */
async function listOwnStandups(
  {services}: SlackContext,
  access: Caller,
  dates: ReadonlyMap<string, string>,
): Promise<Standup[]> {
  const author = access.principal.id;
  const pages = await Promise.all(
    [...dates].map(([team, date]) =>
      services.standups.listStandups(access, {author, team, dateFrom: date, dateTo: date, limit: 1}),
    ),
  );
  return pages
    .flatMap(({rows}) => rows.map(parseWire))
    .toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
}
