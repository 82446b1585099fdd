import {createHash} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import type {RespondArguments} from '@slack/bolt';
import type {Button} from '@slack/types';
import type {Call} from '../../../domain/core/access.js';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {type IdSuffix, suffixOf} from '../../../domain/core/ids.js';
import type {ReportKind, SlackCopy} from '../../../domain/slack/slack-post.js';
import {isReadIn, type Team} from '../../../domain/teams/team.js';
import {createPrivateMarkupAnswer, formatSentence, type Gaps, privateAnswer} from '../blocks/blocks.js';
import {actions} from '../blocks/names.js';
import {actionsRow, button, paragraph} from '../blocks/shapes.js';
import {findBotName} from '../core/bot-name.js';
import {describeFix} from '../core/fixes.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {type ButtonPress, listenToAction} from '../core/listeners.js';
import {admitRequester} from '../core/requester.js';

/** The report that a person was shown: of one run, or of a week by its Monday. */
export interface ReportSubject {
  readonly of: ReportKind;
  readonly team: IdSuffix<'team'>;
  readonly date: string;
}

/** The steps of passing a report on: `ask` whether to post it, `post` or `keep` it, or `mail` it. */
type Act = 'ask' | 'post' | 'keep' | 'mail';

/** The number of looks at what has become of a message, and the time between them (ms). */
const [mostLooks, lookMs] = [16, 250];

/** Presents the buttons that pass a report on. `email`: the address of the person; null if none is reachable. */
export function presentReportButtons(
  {channel, triggerId, translation}: SlackRequest,
  team: Team,
  subject: ReportSubject,
  email: string | null,
): Button[] {
  const {report: texts} = translation.texts;
  const key = hashKey(triggerId);
  const mayPost = isChannel(channel) && isReadIn(team, channel);
  return [
    ...(mayPost ? [createButton('ask', texts.postHere, {...subject, key})] : []),
    ...(subject.of === 'week' && email !== null
      ? [createButton('mail', texts.mailIt, {...subject, key})]
      : []),
  ];
}

function createButton(act: Act, label: string, value: ReportSubject & {readonly key: string}): Button {
  return button(actions.ofReport, label, {act, ...value}, {part: act});
}

/** True for a channel, not a direct message: only the bot's own messages are there. */
function isChannel(channel: string): boolean {
  return /^[CG]/.test(channel);
}

/** Returns a short key by which a repeated press is known. */
function hashKey(triggerId: string): string {
  return createHash('sha256').update(triggerId).digest('base64url').slice(0, 22);
}

interface Asked {
  readonly subject: ReportSubject;
  readonly team: Team;
  readonly key: string;
}

/** Asks whether to post a report, and names the channel. A button of the question posts once. */
function presentQuestion(
  {translation, channel, triggerId}: SlackRequest,
  {subject, team}: Asked,
): RespondArguments {
  const {report: texts} = translation.texts;
  const value = {...subject, key: hashKey(triggerId)};
  return presentSentence(
    translation,
    ({name, channel: put}) => texts.sure({team: name(team.name), channel: put(channel)}),
    actionsRow(createButton('post', texts.post, value), createButton('keep', texts.keep, value)),
  );
}

function presentSentence(
  translation: SlackRequest['translation'],
  say: (gaps: Gaps) => string,
  ...rows: readonly ReturnType<typeof actionsRow>[]
): RespondArguments {
  const {elements, text} = formatSentence(translation, say);
  return {...createPrivateMarkupAnswer(text), blocks: [paragraph(elements), ...rows]};
}

/** Posts a report, and says what has become of it. */
async function postReport(
  context: SlackContext,
  {translation, channel}: SlackRequest,
  {call, bot}: {readonly call: Call; readonly bot: () => Promise<string>},
  {subject, team, key}: Asked,
): Promise<RespondArguments> {
  const {report: texts, trouble} = translation.texts;
  const {postedReports: reports} = context.services;
  const item: SlackCopy['item'] = {kind: 'copy', ...subject, key};
  const named = (text: (names: {team: string; channel: string}) => string) =>
    presentSentence(translation, ({name, channel: put}) =>
      text({team: name(team.name), channel: put(channel)}),
    );
  const asked = isChannel(channel) ? await reports.post(call, item, channel) : 'not_readable';
  if (asked === 'enough') return privateAnswer(texts.enough);
  if (asked === 'not_readable') return named(texts.notReadable);
  const outcome = await waitForOutcome(context, call, item);
  if (outcome === undefined) return named(texts.coming);
  if (outcome === 'shown') return named(texts.posted);
  if (outcome.refused === 'not_readable') return named(texts.notReadable);
  const name = await bot();
  return presentSentence(translation, (gaps) =>
    texts.refused({
      channel: gaps.channel(channel),
      fix: describeFix(outcome.refused, trouble, gaps.name(name)),
    }),
  );
}

async function waitForOutcome({services}: SlackContext, call: Call, item: SlackCopy['item']) {
  for (let look = 0; look < mostLooks; look++) {
    await sleep(lookMs);
    const outcome = await services.postedReports.findOutcome(call, item);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

async function mailReport(
  {services}: SlackContext,
  {translation}: SlackRequest,
  call: Call,
  {subject: {team: suffix, date: monday}, team, key}: Asked,
): Promise<RespondArguments> {
  const {report: texts} = translation.texts;
  const asked = await services.askedWeeks.ask(call, {team: suffix, monday, key});
  if (asked === 'unreachable') return privateAnswer(texts.notMailed);
  if (asked === 'enough') return privateAnswer(texts.mailedEnough);
  return presentSentence(translation, ({name}) =>
    texts.mailed({team: name(team.name), email: name(asked.to)}),
  );
}

/** Reads what a button is about; undefined if it is none of ours. */
function readSubject({value}: ButtonPress): (ReportSubject & {readonly key: string}) | undefined {
  const {of, team, date, key} = value;
  if (typeof team !== 'string' || typeof date !== 'string' || typeof key !== 'string') return undefined;
  if (!isCalendarDate(date) || !/^[\w-]{22}$/.test(key)) return undefined;
  return {of: of === 'week' ? 'week' : 'digest', team: team as IdSuffix<'team'>, date, key};
}

/** Listens to the buttons below a report. The person's right to read the team is checked again. */
export function listenToReports(context: SlackContext): void {
  listenToAction(context, actions.ofReport, async (press) => {
    const {request, value} = press;
    const {report: texts} = request.translation.texts;
    const act = value['act'];
    if (act === 'keep') return {...privateAnswer(texts.kept), replace_original: true};
    const subject = readSubject(press);
    if (subject === undefined) return undefined;
    const {slackWorkspace, call} = await admitRequester(context, request);
    const team = slackWorkspace.directory.teams.find(({id}) => suffixOf(id) === subject.team);
    if (team === undefined) return privateAnswer(request.translation.texts.home.teamGone);
    const {key, ...about} = subject;
    const asked = {subject: about, team, key};
    if (act === 'mail') return mailReport(context, request, call, asked);
    if (act === 'ask') return presentQuestion(request, asked);
    const bot = () => findBotName(slackWorkspace.client);
    return {...(await postReport(context, request, {call, bot}, asked)), replace_original: true};
  });
}
