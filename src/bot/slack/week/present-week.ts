import type {RichTextElement} from '@slack/types';
import {findSundayOf} from '../../../domain/schedules/week.js';
import {cleanName, isolateDirection, isolateName} from '../../texts/bidi.js';
import {richTextSentence, type OutgoingMessage} from '../blocks/blocks.js';
import {createMetadata} from '../../showing/metadata.js';
import {slackLimits} from '../blocks/names.js';
import {cutText, takeFitting} from '../../texts/cut-text.js';
import {escapeAll} from '../blocks/text.js';
import {bold, link, paragraph, textElement} from '../blocks/shapes.js';
import {toInlineElements} from '../rich-text/show-text.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import type {WeekContent} from '../../../domain/runs/week-content.js';
import {formatMean} from '../../../domain/runs/week-trends.js';

interface ContentLimits {
  readonly names: number;
  readonly name: number;
  readonly blocker: number;
  readonly blockers: number;
  readonly questions: number;
}

/** The limits that are tried in turn: from the usual limits to limits that always fit. */
const rooms: readonly ContentLimits[] = [
  {names: 1_500, name: 80, blocker: 120, blockers: 10, questions: 10},
  {names: 600, name: 40, blocker: 80, blockers: 5, questions: 5},
  {names: 200, name: 20, blocker: 30, blockers: 2, questions: 2},
  {names: 0, name: 20, blocker: 20, blockers: 0, questions: 0},
];

interface WeekLine {
  readonly elements: readonly RichTextElement[];
  readonly spoken: string;
}

/** Presents the summary of a week in one message. Names are in `text` elements only. */
export function presentWeek(translation: SlackTranslation, content: WeekContent): OutgoingMessage {
  const all = rooms.map((room) => presentWithLimits(translation, content, room));
  return all.find(fitsInMessage) ?? all.at(-1)!;
}

function fitsInMessage({text, blocks}: OutgoingMessage): boolean {
  return (
    text.length <= slackLimits.messageText &&
    Buffer.byteLength(JSON.stringify(blocks)) <= slackLimits.blockBytes
  );
}

function presentWithLimits(
  translation: SlackTranslation,
  content: WeekContent,
  room: ContentLimits,
): OutgoingMessage {
  const {team, monday} = content;
  const lines = [
    ...listHeadLines(translation, content),
    ...listDayLines(translation, content),
    ...listMemberLines(translation, content, room),
    ...listTrendLines(translation, content, room),
    ...listBlockerLines(translation, content, room),
  ];
  const elements = lines.flatMap(({elements: own}, i): RichTextElement[] =>
    i === 0 ? [...own] : [textElement('\n'), ...own],
  );
  return {
    text: lines.map(({spoken}) => spoken).join('\n'),
    blocks: [paragraph(elements)],
    metadata: createMetadata('week', {team, date: monday}),
  };
}

function listHeadLines(
  translation: SlackTranslation,
  {monday, participation: {counts}}: WeekContent,
): WeekLine[] {
  const texts = translation.texts.week;
  const gist = [
    texts.posted({count: counts.posted + counts.late, of: counts.expected}),
    ...(counts.participation === null
      ? []
      : [texts.participation({percent: Math.round(counts.participation * 100)})]),
  ];
  return [
    createBoldLine(
      texts.title({monday: translation.shortDay(monday), sunday: translation.shortDay(findSundayOf(monday))}),
    ),
    createPlainLine(gist.join(' · ')),
  ];
}

function listDayLines(
  translation: SlackTranslation,
  {participation: {by_date: days}, links}: WeekContent,
): WeekLine[] {
  const texts = translation.texts.week;
  return days.map(({date, counts}) => {
    const line = createPlainLine(
      `• ${texts.day({day: translation.shortDay(date), count: counts.posted + counts.late, of: counts.expected})}`,
    );
    const url = links.get(date);
    if (url === undefined) return line;
    return {...line, elements: [...line.elements, textElement(' · '), link(url, texts.report)]};
  });
}

/** Lists members by name, without a ranking. Missed runs are visible only if the team has chosen so. */
function listMemberLines(
  {texts: {week: texts}}: SlackTranslation,
  {participation: {by_member: people}, namesMissing}: WeekContent,
  room: ContentLimits,
): WeekLine[] {
  const said = people.flatMap(({member, counts}) => {
    const times = counts.posted + counts.late;
    if (member.name === null || (times === 0 && !namesMissing)) return [];
    const name = isolateName(cutText(cleanName(member.name), room.name));
    return [namesMissing ? texts.oftenOf({name, times, of: counts.expected}) : texts.often({name, times})];
  });
  if (said.length === 0) return [];
  const shown = takeFitting(said, room.names);
  if (shown.length === 0) return [];
  const listed = shown.join(', ');
  const more = said.length - shown.length;
  const line = more === 0 ? listed : texts.andMore({names: listed, more});
  return [createBoldLine(texts.byMember), {elements: [textElement(line)], spoken: escapeAll(line)}];
}

/** Lists the means of the week's answers, and how they differ from the week before. It names no one. */
function listTrendLines(
  {texts: {week: texts}, locale}: SlackTranslation,
  {trends: {questions}}: WeekContent,
  room: ContentLimits,
): WeekLine[] {
  const lines = questions.slice(0, room.questions).map(({type, label, mean, answers, change}) => {
    const line = `• ${texts.mean({
      question: cutText(cleanName(label), room.name),
      value: formatMean(locale, type, mean),
      answers,
      way: change?.way ?? 'none',
      amount: change === null ? '' : formatMean(locale, type, change.amount),
    })}`;
    return {elements: [textElement(line)], spoken: escapeAll(line)};
  });
  return lines.length === 0 ? [] : [createBoldLine(texts.answers), ...lines];
}

function listBlockerLines(
  translation: SlackTranslation,
  {blockers: {raised, resolved, open}, trends: {hours}}: WeekContent,
  room: ContentLimits,
): WeekLine[] {
  const texts = translation.texts.week;
  if (raised + resolved + open.length === 0) return [];
  const shown = open.slice(0, room.blockers).map(({author, text, since, days}): WeekLine => {
    const name = cutText(cleanName(author.name), room.name);
    const said = cutText(text.trim().replaceAll(/\s+/g, ' '), room.blocker);
    const line = `• ${texts.blocker({name: isolateName(name), text: isolateDirection(said), since: translation.shortDay(since), days})}`;
    const [nameSpan, what] = [textElement(isolateName(name)), textElement(said)] as const;
    const elements = richTextSentence(
      (gap) =>
        `• ${texts.blocker({name: gap(nameSpan), text: gap(what), since: translation.shortDay(since), days})}`,
    ).flatMap((element) => (element === what ? toInlineElements(said) : [element]));
    return {elements, spoken: escapeAll(line)};
  });
  const more = open.length - shown.length;
  return [
    createBoldLine(texts.blockers({raised, resolved, open: open.length})),
    ...(hours === null ? [] : [createPlainLine(texts.hours({hours: Math.round(hours)}))]),
    ...shown,
    ...(more > 0 && shown.length > 0 ? [createPlainLine(texts.moreBlockers({count: more}))] : []),
  ];
}

function createBoldLine(text: string): WeekLine {
  return {elements: [bold(text)], spoken: text};
}

function createPlainLine(text: string): WeekLine {
  return {elements: [textElement(text)], spoken: text};
}
