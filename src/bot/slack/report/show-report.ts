import type {Button, KnownBlock} from '@slack/types';
import type {RespondArguments} from '@slack/bolt';
import {addDays} from '../../../domain/core/dates.js';
import {suffixOf} from '../../../domain/core/ids.js';
import type {Caller} from '../../../domain/core/access.js';
import {findMondayOf} from '../../../domain/schedules/week.js';
import type {Team} from '../../../domain/teams/team.js';
import {reportPeriods} from '../../typed/parse-command.js';
import {cutText} from '../../texts/cut-text.js';
import {isolateName} from '../../texts/bidi.js';
import {presentSetupAnswer} from '../answers/setup-offer.js';
import {createPrivateMarkupAnswer, type OutgoingMessage, plainTextBlock} from '../blocks/blocks.js';
import {slackLimits} from '../blocks/names.js';
import {actionsRowIfAny, header} from '../blocks/shapes.js';
import {cutEscapedText, escapeText} from '../blocks/text.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {findViewer, listAskedTeams} from '../core/requester.js';
import {presentDigest} from '../digest/present-digest.js';
import {presentWeek} from '../week/present-week.js';
import {presentReportButtons, type ReportSubject} from './pass-on-report.js';

/** The message that the channel gets, without its metadata. */
type ReportPart = Pick<OutgoingMessage, 'text' | 'blocks'>;

/** The maximum number of teams in one answer, and of characters of a team's name. */
const [shownTeams, nameLength] = [5, 60];

/**
 * Answers `/standup report`: last week, this week or yesterday of the channel's team, or of the person's own
 * teams. Errors: those of `identify`.
 */
export async function presentReport(
  context: SlackContext,
  request: SlackRequest,
  period: string,
): Promise<RespondArguments> {
  const {translation, channel} = request;
  const viewer = await findViewer(context, request);
  const {access} = viewer;
  const mine = await listAskedTeams(context, channel, viewer);
  if (mine.length === 0) return presentSetupAnswer(translation, channel);
  const email =
    viewer.member === undefined ? null : await context.services.askedWeeks.findAddress(access, viewer.member);
  const reports = await Promise.all(
    mine.slice(0, shownTeams).map(async (team): Promise<TeamReport> => {
      const subject = await findSubject(context, access, team, period);
      const messages = await findReport(context, access, translation, subject);
      const buttons = messages.length === 0 ? [] : presentReportButtons(request, team, subject, email);
      return {name: isolateName(cutText(team.name, nameLength)), messages, buttons};
    }),
  );
  return joinReports(translation, reports, mine.length - reports.length);
}

/** Returns what a report of this time is about. */
async function findSubject(
  {services}: SlackContext,
  access: Caller,
  team: Team,
  period: string,
): Promise<ReportSubject> {
  const today = await services.standups.findDate(access, team, access.principal.id);
  const suffix = suffixOf(team.id);
  if (period === reportPeriods.yesterday) return {of: 'digest', team: suffix, date: addDays(today, -1)};
  const monday = addDays(findMondayOf(today), period === reportPeriods.thisWeek ? 0 : -7);
  return {of: 'week', team: suffix, date: monday};
}

/** Returns the messages that the channel gets about this time; none if no run has closed in it. */
async function findReport(
  {services: {channelViews: views}}: SlackContext,
  access: Caller,
  translation: SlackTranslation,
  {of, team, date}: ReportSubject,
): Promise<readonly ReportPart[]> {
  if (of === 'digest') {
    const content = await views.findReport(access, team, date);
    return content === undefined ? [] : presentDigest(translation, content, () => []);
  }
  const week = await views.findWeek(access, team, date);
  return week === undefined ? [] : [presentWeek(translation, {...week, links: new Map()})];
}

interface TeamReport {
  readonly name: string;
  readonly messages: readonly ReportPart[];
  readonly buttons: readonly Button[];
}

/** Joins the reports in one answer, as much as fits, with the names of several teams. */
function joinReports(
  {texts: {report, today}}: SlackTranslation,
  reports: readonly TeamReport[],
  moreTeams: number,
): RespondArguments {
  const blocks: KnownBlock[] = [];
  const lines: string[] = [];
  // Room for the notes about what is left out.
  let room = slackLimits.blockBytes - 600;
  let isCut = false;
  for (const {name, messages, buttons} of reports) {
    const parts = messages.length === 0 ? [describeNothing(report.none)] : messages;
    const heading = reports.length === 1 ? [] : [header(name)];
    for (const [i, {text, blocks: own = []}] of parts.entries()) {
      const more = i === 0 ? [...heading, ...own] : own;
      room -= Buffer.byteLength(JSON.stringify(more));
      if (room < 0) break;
      blocks.push(...more);
      lines.push(...(i === 0 && heading.length > 0 ? [escapeText(name)] : []), text);
    }
    isCut ||= room < 0;
    const row = actionsRowIfAny(buttons);
    room -= Buffer.byteLength(JSON.stringify(row));
    if (room >= 0) blocks.push(...row);
  }
  const notes = [
    ...(isCut ? [report.cut] : []),
    ...(moreTeams > 0 ? [today.moreTeams({left: moreTeams})] : []),
  ];
  const text = cutEscapedText([...lines, ...notes].join('\n'), slackLimits.messageText);
  return {
    ...createPrivateMarkupAnswer(text),
    blocks: [...blocks, ...notes.map((note) => plainTextBlock(note))],
  };
}

function describeNothing(text: string): ReportPart {
  return {text, blocks: [plainTextBlock(text)]};
}
