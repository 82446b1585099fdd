import type {RichTextElement} from '@slack/types';
import {sundayOf} from '../../../domain/schedules/week.js';
import {cleanName, isolate, nameInText} from '../../words/bidi.js';
import {richSentence} from '../blocks/blocks.js';
import {weekMetadata} from '../../showing/metadata.js';
import {slackLimits} from '../blocks/names.js';
import type {Message} from '../posting/messages.js';
import {cutText} from '../../words/cut-text.js';
import {escapeText} from '../blocks/text.js';
import {bold, link, paragraph, span} from '../blocks/shapes.js';
import {flowOf} from '../rich-text/show-text.js';
import type {Reader} from '../blocks/reader.js';
import type {WeekContent} from '../../../domain/runs/week-content.js';

/**
 * The limits of the content: characters of all names, of one name and of one blocker, and the number of
 * blockers.
 */
interface Room {
  readonly names: number;
  readonly name: number;
  readonly blocker: number;
  readonly blockers: number;
}

/** From the usual limits to limits that fit in any case. */
const rooms: readonly Room[] = [
  {names: 1_500, name: 80, blocker: 120, blockers: 10},
  {names: 600, name: 40, blocker: 80, blockers: 5},
  {names: 200, name: 20, blocker: 30, blockers: 2},
  {names: 0, name: 20, blocker: 20, blockers: 0},
];

/** A line for display and for screen readers. */
interface Line {
  readonly elements: readonly RichTextElement[];
  readonly spoken: string;
}

/** The one message of a week. Names are in `text` elements only. */
export function presentWeek(reader: Reader, content: WeekContent): Message {
  const all = rooms.map((room) => present(reader, content, room));
  return all.find(fits) ?? all.at(-1)!;
}

function fits({text, blocks}: Message): boolean {
  return (
    text.length <= slackLimits.messageText &&
    Buffer.byteLength(JSON.stringify(blocks)) <= slackLimits.blockBytes
  );
}

function present(reader: Reader, content: WeekContent, room: Room): Message {
  const {team, monday} = content;
  const lines = [
    ...headLines(reader, content),
    ...dayLines(reader, content),
    ...whoLines(reader, content, room),
    ...blockerLines(reader, content, room),
  ];
  const elements = lines.flatMap(({elements: own}, i): RichTextElement[] =>
    i === 0 ? [...own] : [span('\n'), ...own],
  );
  return {
    text: lines.map(({spoken}) => spoken).join('\n'),
    blocks: [paragraph(elements)],
    metadata: weekMetadata({team, date: monday}),
  };
}

function headLines(reader: Reader, {monday, participation: {counts}}: WeekContent): Line[] {
  const words = reader.words.week;
  const gist = [
    words.posted(counts.posted + counts.late, counts.expected),
    ...(counts.participation === null ? [] : [words.participation(Math.round(counts.participation * 100))]),
  ];
  return [
    boldLine(words.title(reader.shortDay(monday), reader.shortDay(sundayOf(monday)))),
    plainLine(gist.join(' · ')),
  ];
}

function dayLines(reader: Reader, {participation: {by_date: days}, links}: WeekContent): Line[] {
  const words = reader.words.week;
  return days.map(({date, counts}) => {
    const line = plainLine(
      `• ${words.day(reader.shortDay(date), counts.posted + counts.late, counts.expected)}`,
    );
    const url = links.get(date);
    if (url === undefined) return line;
    return {...line, elements: [...line.elements, span(' · '), link(url, words.report)]};
  });
}

/** By name, without a ranking; missed runs are visible only if the team has chosen so. */
function whoLines(
  {words: {week: words}}: Reader,
  {participation: {by_member: people}, namesMissing}: WeekContent,
  room: Room,
): Line[] {
  const said = people.flatMap(({member, counts}) => {
    const times = counts.posted + counts.late;
    if (member.name === null || (times === 0 && !namesMissing)) return [];
    const name = nameInText(cutText(cleanName(member.name), room.name));
    return [namesMissing ? words.oftenOf(name, times, counts.expected) : words.often(name, times)];
  });
  if (said.length === 0) return [];
  let [shown, length] = [0, 0];
  for (; shown < said.length; shown++) {
    length += (said[shown]?.length ?? 0) + 2;
    if (length > room.names) break;
  }
  if (shown === 0) return [];
  const listed = said.slice(0, shown).join(', ');
  const line = shown === said.length ? listed : words.andMore(listed, said.length - shown);
  return [boldLine(words.who), {elements: [span(line)], spoken: escape(line)}];
}

function blockerLines(reader: Reader, {blockers: {raised, resolved, open}}: WeekContent, room: Room): Line[] {
  const words = reader.words.week;
  if (raised + resolved + open.length === 0) return [];
  const shown = open.slice(0, room.blockers).map(({author, text, since, days}): Line => {
    const name = cutText(cleanName(author.name), room.name);
    const said = cutText(text.trim().replaceAll(/\s+/g, ' '), room.blocker);
    const line = `• ${words.blocker(nameInText(name), isolate(said), reader.shortDay(since), days)}`;
    const [who, what] = [span(nameInText(name)), span(said)] as const;
    const elements = richSentence(
      (gap) => `• ${words.blocker(gap(who), gap(what), reader.shortDay(since), days)}`,
    ).flatMap((element) => (element === what ? flowOf(said) : [element]));
    return {elements, spoken: escape(line)};
  });
  const more = open.length - shown.length;
  return [
    boldLine(words.blockers(raised, resolved, open.length)),
    ...shown,
    ...(more > 0 && shown.length > 0 ? [plainLine(words.moreBlockers(more))] : []),
  ];
}

function boldLine(text: string): Line {
  return {elements: [bold(text)], spoken: text};
}

function plainLine(text: string): Line {
  return {elements: [span(text)], spoken: text};
}

function escape(text: string): string {
  return escapeText(text, Number.POSITIVE_INFINITY);
}
