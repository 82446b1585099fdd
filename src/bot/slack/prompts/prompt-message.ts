import {startAbsence} from '../away/away.js';
import {admitRequester} from '../core/requester.js';
import type {ActionsBlock, Button, KnownBlock, RichTextElement} from '@slack/types';
import {
  listAllowedSnoozes,
  type PromptContent,
  type PromptLine,
  snoozeMinutes,
  type StillBlocked,
} from '../../../domain/prompts/prompt.js';
import {cleanName, isolateDirection, isolateName} from '../../texts/bidi.js';
import {
  formatSentence,
  type Gaps,
  richTextSentence,
  type OutgoingMessage,
  privateAnswer,
  createPrivateMarkupAnswer,
} from '../blocks/blocks.js';
import {
  bold,
  bulletList,
  button,
  link,
  option,
  paragraph,
  actionsRow,
  section,
  select,
  textElement,
} from '../blocks/shapes.js';
import {formButton} from '../answers/buttons.js';
import {packDates, packRequest, parseRequest} from '../answers/form-request.js';
import {createMetadata} from '../../showing/metadata.js';
import {actions} from '../blocks/names.js';
import {escapeAll, escapeText} from '../blocks/text.js';
import {cutText} from '../../texts/cut-text.js';
import {toInlineElements} from '../rich-text/show-text.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import type {Texts} from '../../texts/translation.js';
import type {PromptKey} from '../../showing/chat.js';
import type {RespondArguments} from '@slack/bolt';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {AppError} from '../../../domain/core/errors.js';
import {listenToAction, listenToButton} from '../core/listeners.js';
import {openForm} from '../form/open-form.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {slackKey} from '../core/slack-identities.js';

/** The maximum number of teams in one message; a person with more teams finds them in the form. */
const maxLines = 20;

/** `snoozed`: until when (ms). `now` limits the snooze choices; without it, passing time changes nothing. */
export function presentPrompt(
  translation: SlackTranslation,
  {member, date, take}: PromptKey,
  {lines, blockers, awayEmoji}: Pick<PromptContent, 'lines' | 'blockers' | 'awayEmoji'>,
  {snoozed, now}: {readonly snoozed?: number | undefined; readonly now?: number} = {},
): OutgoingMessage {
  const {prompts, ask} = translation.texts;
  const open = lines.filter(({state}) => state === 'open');
  const isOpen = open.length > 0;
  const say = ({at}: Gaps): string => {
    if (!isOpen) return prompts.over({day: translation.day(date)});
    if (snoozed !== undefined) return prompts.snoozed({until: at(snoozed)});
    const times = Math.max(...open.map(({reminded}) => reminded));
    return times === 0
      ? ask.opened({teams: open.length})
      : prompts.due({teams: open.length, again: times > 1});
  };
  const shown = lines.slice(0, maxLines).map((line) => ({
    ...line,
    day: lines.some(({run, team}) => run !== line.run && team.id === line.team.id)
      ? translation.day(line.date)
      : undefined,
  }));
  const more = lines.length > shown.length ? [prompts.more({left: lines.length - shown.length})] : [];
  const items = [
    ...shown.map((line) => createRichLine(translation, line)),
    ...more.map((composeSentence) => [textElement(composeSentence)]),
  ];
  const {elements: heading, text: said} = formatSentence(translation, say, {bold: true});
  const blocks: KnownBlock[] = [paragraph(heading, bulletList(items))];
  const asks = describeFirstQuestion(translation, open);
  const {invitation} = translation.texts.typing;
  if (isOpen) blocks.push(paragraph([bold(asks), textElement(` ${invitation}`)]));
  const edits = presentEdits(translation.texts, lines);
  if (isOpen || edits.length > 0) {
    const choices = now === undefined ? snoozeMinutes : listAllowedSnoozes(now, open);
    const act = isOpen ? presentActions(prompts, date, open, choices) : [];
    blocks.push(actionsRow(...act, ...edits));
  }
  const away = isOpen && awayEmoji !== undefined ? [presentAwayQuestion(translation, awayEmoji)] : [];
  const asked = [...away, ...blockers.map((blocker) => presentStillBlocked(translation, blocker))];
  blocks.push(...asked.flatMap((one) => one.blocks));
  const last = isOpen ? [`${escapeText(asks, maxQuestion)} ${invitation}`] : [];
  const text = [
    said,
    ...shown.map((line) => `• ${createTextLine(translation, line)}`),
    ...more,
    ...last,
    ...asked.map(({spoken}) => spoken),
  ].join('\n');
  return {text, blocks, metadata: createMetadata('prompt', {member, date, take})};
}

/** Presents the short text that takes the place of a replaced reminder if Slack does not let us remove it. */
export function presentReplacedPrompt(
  {texts}: SlackTranslation,
  {member, date, take}: PromptKey,
): OutgoingMessage {
  const text = texts.ask.moved;
  return {
    text,
    blocks: [section(text)],
    metadata: createMetadata('prompt', {member, date, take: take - 1}),
  };
}

/** Returns the question that a typed text would answer: the first of the team whose run closes first. */
function describeFirstQuestion({texts: {typing}}: SlackTranslation, open: readonly PromptLine[]): string {
  const [first] = open.toSorted((a, b) => a.closesAt - b.closesAt);
  const [question] = first?.team.questions ?? [];
  return question === undefined ? typing.questions.today : cleanName(question.label);
}

const maxQuestion = 200;

/** The maximum length of a blocker's text in a reminder. */
const maxExcerpt = 140;

/** Asks whether the reader is away today, since the emoji of their status in Slack says so. */
function presentAwayQuestion({texts: {prompts, home}}: SlackTranslation, emoji: string) {
  const elements = richTextSentence((gap) =>
    prompts.awayByStatus({emoji: gap({type: 'emoji', name: emoji.slice(1, -1)})}),
  );
  return {
    blocks: [paragraph(elements), actionsRow(button(actions.promptAway, home.awayToday))],
    spoken: prompts.awayByStatus({emoji}),
  };
}

/** Asks whether a blocker still blocks the reader, with a button that resolves it. */
function presentStillBlocked(translation: SlackTranslation, {blocker, text, team, since}: StillBlocked) {
  const {prompts} = translation.texts;
  const excerpt = cutText(text.trim().replaceAll(/\s+/g, ' '), maxExcerpt);
  const of = prompts.blockerOf({team: isolateName(team), day: translation.day(since)});
  return {
    blocks: [
      paragraph([
        bold(prompts.stillBlocked),
        textElement(' '),
        ...toInlineElements(excerpt),
        textElement(` ${of}`),
      ]),
      actionsRow(button(actions.resolveBlocker, prompts.solved, {blocker})),
    ],
    spoken: `${prompts.stillBlocked} ${escapeAll(`${isolateDirection(excerpt)} ${of}`)}`,
  };
}

/** A line of a reminder, with the date of its run. `day`: the date to show, if it is not obvious. */
type DatedPromptLine = PromptLine & {readonly day: string | undefined};

function composeSentence(
  {prompts}: Texts,
  {state, day}: DatedPromptLine,
  name: string,
  closes: string,
): string {
  const team = day === undefined ? name : prompts.ofDay({team: name, day});
  switch (state) {
    case 'open':
      return prompts.open({team, closes});
    case 'closed':
      return prompts.closed({team, closed: closes});
    default:
      return prompts[state]({team});
  }
}

function createRichLine(translation: SlackTranslation, line: DatedPromptLine): RichTextElement[] {
  const elements = richTextSentence((gap) =>
    composeSentence(
      translation.texts,
      line,
      gap(textElement(isolateName(line.team.name))),
      gap(translation.richInstant(line.closesAt)),
    ),
  );
  if (line.link === undefined) return elements;
  return [...elements, textElement(' '), link(line.link, translation.texts.prompts.look)];
}

function createTextLine(translation: SlackTranslation, line: DatedPromptLine): string {
  const name = escapeText(isolateName(line.team.name), maxName - (line.day?.length ?? 0));
  const said = composeSentence(translation.texts, line, name, translation.instant(line.closesAt));
  return line.link === undefined ? said : `${said} ${line.link}`;
}

/** The maximum length of a name, so that all lines fit into one Slack text. */
const maxName = 80;

/** The maximum number of teams with an edit button; other standups are edited in the channel. */
const mostEdits = 5;

function presentEdits({ask}: Texts, lines: readonly PromptLine[]): Button[] {
  const posted = lines.flatMap(({team, standup}) => (standup === undefined ? [] : [{team, standup}]));
  return posted.slice(0, mostEdits).map(({team, standup}, i) => {
    const label = posted.length === 1 ? ask.edit : ask.editFor({team: isolateName(team.name)});
    return formButton(label, {mode: 'edit', standup}, `edit-${i}`);
  });
}

function presentActions(
  texts: Texts['prompts'],
  date: string,
  open: readonly PromptLine[],
  choices: readonly number[],
): ActionsBlock['elements'] {
  const runs = open.toSorted((a, b) => a.closesAt - b.closesAt);
  // If a team has several runs, the button posts for the first to close; then the message changes.
  const first = runs.filter((line, i) => runs.findIndex(({team}) => team.id === line.team.id) === i);
  const only = first.length === 1 ? first[0] : undefined;
  const options = choices.map((minutes) => option(`${date}/${minutes}`, texts.snoozeFor({minutes})));
  const post = packRequest({
    mode: 'auto',
    team: only?.team.id,
    dates: packDates(first.map(({team, date: day}) => [team.id, day])),
  });
  return [
    button(actions.promptPost, texts.post, post, {style: 'primary'}),
    button(actions.promptSkip, texts.skip, {date}),
    ...(options.length === 0 ? [] : [select(actions.promptSnooze, texts.snooze, options)]),
  ];
}

/** Listens to the buttons of a reminder, which itself shows the outcome; only refusals are messages. */
export function listenToPrompts(context: SlackContext): void {
  const {prompts, ownReminders, absences} = context.services;

  // The form is for the date of the reminder, even if the button is pressed later.
  listenToAction(context, actions.promptPost, ({request, value}) =>
    openForm(context, request, parseRequest(value)),
  );

  listenToButton(context, actions.promptSkip, async ({request, value}, answer) => {
    const date = readPromptDate(value['date']);
    if (date === undefined) return;
    const {call} = await admitRequester(context, request);
    const open = await prompts.listOpen(call, date);
    for (const {team, date: day} of open) {
      const idempotency = slackKey(call, 'prompt', `${request.triggerId}/skip/${team.id}/${day}`, '');
      await absences.skip({...call, idempotency}, {date: day, team: team.id});
    }
    if (open.length === 0) await answer(privateAnswer(request.translation.texts.prompts.nothingLeft));
    else context.refreshHome(request.origin, request.user);
  });

  // The reminder shows that the person is away. An answer is needed only without one.
  listenToButton(context, actions.promptAway, async ({request}) => {
    await startAbsence(context, request, undefined);
    context.refreshHome(request.origin, request.user);
  });

  listenToButton(context, actions.promptSnooze, async ({request, text}, answer) =>
    answer(await snoozePrompt(request, text)),
  );

  /** Snoozes a reminder. Returns why that was not possible; undefined if it was. */
  async function snoozePrompt(request: SlackRequest, choice: string): Promise<RespondArguments | undefined> {
    const [day, wanted] = choice.split('/');
    const date = readPromptDate(day);
    const minutes = snoozeMinutes.find((some) => String(some) === wanted);
    if (date === undefined || minutes === undefined) return undefined;
    const {call} = await admitRequester(context, request);
    const idempotency = slackKey(call, 'prompt', request.triggerId, choice);
    const {prompts: texts, refusal} = request.translation.texts;
    try {
      await ownReminders.snoozeReminder({...call, idempotency}, {date, minutes});
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'no_open_run') throw error;
      const {closesAt, reason} = error.context;
      if (closesAt !== undefined) {
        const closes = request.translation.instant(closesAt);
        return createPrivateMarkupAnswer(texts.tooLate({closes}));
      }
      return privateAnswer(reason === 'reminders_off' ? refusal.remindersOff : texts.nothingLeft);
    }
    context.refreshHome(request.origin, request.user);
    return undefined;
  }
}

function readPromptDate(given: unknown): string | undefined {
  return typeof given === 'string' && isCalendarDate(given) ? given : undefined;
}
