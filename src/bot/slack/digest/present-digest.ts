import type {KnownBlock, RichTextElement} from '@slack/types';
import {createMetadata} from '../../showing/metadata.js';
import {presentBlockerButtons} from '../blockers/standup-blockers.js';
import {slackLimits} from '../blocks/names.js';
import type {OutgoingMessage} from '../blocks/blocks.js';
import {bold, paragraph, textElement} from '../blocks/shapes.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import type {DigestContent} from '../../../domain/runs/run-content.js';
import {
  type ActionsOf,
  type DigestBody,
  type DigestLine,
  type DigestRoom,
  listSections,
} from './digest-sections.js';

/** The maximum number of messages of a report: Slack takes about one a second, and people read no more. */
export const mostParts = 20;

/** The limits that are tried in turn: from no limits to limits that always fit. */
const all = {update: Infinity, blocker: Infinity, reason: Infinity, name: Infinity, perSection: Infinity};
const least = {update: 80, blocker: 80, reason: 80, name: 40, perSection: Infinity};
const rooms: readonly DigestRoom[] = [
  all,
  {...all, update: 1_500, blocker: 500},
  {...all, update: 500, blocker: 250},
  {...all, update: 200, blocker: 150},
  least,
  ...[300, 150, 70, 30, 10].map((perSection) => ({...least, perSection})),
];

/**
 * Presents the report of a run in at most `mostParts` messages: with full texts if they fit, else shortened,
 * else with the first people of each section and a count of the rest. Texts notify no one.
 */
export function presentDigest(
  translation: SlackTranslation,
  content: DigestContent,
  actionsOf: ActionsOf = (blocker) => presentBlockerButtons(translation.texts, blocker),
): OutgoingMessage[] {
  for (const room of rooms) {
    if (countMinimumTextLength(content, room) > mostParts * slackLimits.messageText) continue;
    const pages = divideIntoPages(content, translation, listSections(content, translation, room, actionsOf));
    if (pages.length <= mostParts || room === rooms.at(-1))
      return pages
        .slice(0, mostParts)
        .map((page, i, {length}) => toMessage(content, translation, page, i + 1, length));
  }
  return [];
}

/** Returns the minimum length of the texts under these limits, to leave out limits that cannot fit. */
function countMinimumTextLength({report, standups}: DigestContent, room: DigestRoom): number {
  if (room === rooms.at(-1)) return 0;
  const sum = (lengths: readonly number[], max: number) =>
    lengths.reduce((total, length) => total + Math.min(length, max), 0);
  const updates = [...standups.values()].map(({text}) => text?.length ?? 0);
  return (
    sum(updates, room.update) +
    sum(
      report.blockers.map(({text}) => text.length),
      room.blocker,
    )
  );
}

interface DigestPage {
  readonly lines: PrefixedLine[];
  text: number;
  units: number;
  bytes: number;
  blocks: number;
}

interface PrefixedLine {
  readonly line: DigestLine;
  readonly before: string;
}

function findLinePrefix({goesOn = false}: DigestLine, afterHeading: boolean): string {
  if (goesOn) return afterHeading ? '\n' : '';
  return '\n• ';
}

/** An upper bound for the size of the rich text that surrounds the lines. */
const frameBytes = 100;

function divideIntoPages(
  content: DigestContent,
  translation: SlackTranslation,
  body: DigestBody,
): DigestPage[] {
  const {continued} = translation.texts.digest;
  const pages: DigestPage[] = [];
  let page = addPage();

  function addPage(): DigestPage {
    const next: DigestPage = {lines: [], text: 0, units: 0, bytes: frameBytes, blocks: 1};
    const first = pages.length === 0;
    // The title is known only when all pages exist. Until then, room for the longest title is reserved.
    addLines(next, [
      addLineSize({line: createHeadingLine(presentReportTitle(content, translation, 99, 99)), before: ''}),
    ]);
    next.lines.length = 0;
    if (first)
      addLines(
        next,
        presentReportSummary(content, translation, body).map((line) => addLineSize({line, before: '\n'})),
      );
    pages.push(next);
    return next;
  }

  /** Puts lines that belong together on this page or the next one, undivided. */
  function addLinesTogether(lines: () => readonly PrefixedLine[]): void {
    const costed = lines().map(addLineSize);
    if (fitsOnPage(page, costed)) return addLines(page, costed);
    page = addPage();
    addLines(page, lines().map(addLineSize));
  }

  for (const {heading, lines} of body.sections) {
    let headed: DigestPage | undefined;
    for (const line of lines) {
      addLinesTogether(() => {
        const headingText = headed === undefined ? heading : continued({heading});
        const head = headed === page ? [] : [{line: createHeadingLine(headingText), before: '\n\n'}];
        return [...head, {line, before: findLinePrefix(line, head.length > 0)}];
      });
      headed = page;
      if (pages.length > mostParts) return pages;
    }
    if (headed === undefined) addLinesTogether(() => [{line: createHeadingLine(heading), before: '\n\n'}]);
  }
  return pages;
}

interface LineCost {
  readonly text: number;
  readonly units: number;
  readonly bytes: number;
  readonly blocks: number;
}

type CostedLine = PrefixedLine & {readonly cost: LineCost};

function addLineSize(prefixed: PrefixedLine): CostedLine {
  return {...prefixed, cost: measureLineSize(prefixed)};
}

function measureLineSize({line, before}: PrefixedLine): LineCost {
  const {elements, spoken, blocks = []} = line;
  const shown = toElements({line, before});
  return {
    text: before.length + spoken.length,
    units: shown.reduce((sum, element) => sum + ('text' in element ? (element.text?.length ?? 0) : 0), 0),
    bytes:
      Buffer.byteLength(JSON.stringify(shown)) +
      elements.length +
      (blocks.length > 0 ? Buffer.byteLength(JSON.stringify(blocks)) + frameBytes : 0),
    blocks: blocks.length > 0 ? blocks.length + 1 : 0,
  };
}

function fitsOnPage(page: DigestPage, lines: readonly CostedLine[]): boolean {
  const sum = (kind: keyof LineCost) => lines.reduce((total, {cost}) => total + cost[kind], page[kind]);
  return (
    sum('text') <= slackLimits.messageText &&
    sum('units') <= slackLimits.blockText &&
    sum('bytes') <= slackLimits.blockBytes &&
    sum('blocks') <= slackLimits.messageBlocks
  );
}

function addLines(page: DigestPage, lines: readonly CostedLine[]): void {
  page.lines.push(...lines);
  for (const {cost} of lines) for (const kind of kinds) page[kind] += cost[kind];
}

const kinds = ['text', 'units', 'bytes', 'blocks'] as const satisfies readonly (keyof LineCost)[];

function createHeadingLine(heading: string): DigestLine {
  return {elements: [bold(heading)], spoken: heading};
}

function toElements({line, before}: PrefixedLine): RichTextElement[] {
  return [...(before === '' ? [] : [textElement(before)]), ...line.elements];
}

function presentReportTitle(
  {date, report}: DigestContent,
  translation: SlackTranslation,
  part: number,
  of: number,
): string {
  const {digest, posting} = translation.texts;
  const {posted, late, expected} = report.counts;
  const title = digest.title({day: translation.shortDay(date), count: posted + late, of: expected});
  return of === 1 ? title : `${title} ${posting.part({part, of})}`;
}

function presentReportSummary(
  {report}: DigestContent,
  translation: SlackTranslation,
  body: DigestBody,
): DigestLine[] {
  const texts = translation.texts.digest;
  const {counts, blockers, lines} = report;
  const unposted = lines.filter(({status}) => status === 'missed' || status === 'expected').length;
  const parts = [
    ...(counts.participation === null
      ? []
      : [texts.participation({percent: Math.round(counts.participation * 100)})]),
    ...(blockers.length > 0 ? [texts.blockers({count: blockers.length})] : []),
    ...(counts.late > 0 ? [texts.late({count: counts.late})] : []),
    ...(unposted > 0 ? [texts.missing({count: unposted})] : []),
  ];
  const gist = parts.join(' · ');
  const note = texts.shortened({cut: body.cut, left: body.left});
  return [
    ...(gist === '' ? [] : [{elements: [textElement(gist)], spoken: gist}]),
    ...(body.cut + body.left === 0 ? [] : [{elements: [textElement(note, {italic: true})], spoken: note}]),
  ];
}

function toMessage(
  content: DigestContent,
  translation: SlackTranslation,
  page: DigestPage,
  part: number,
  of: number,
): OutgoingMessage {
  const lines = [
    {line: createHeadingLine(presentReportTitle(content, translation, part, of)), before: ''},
    ...page.lines,
  ];
  const blocks: KnownBlock[] = [];
  let elements: RichTextElement[] = [];
  const flush = () => {
    if (elements.length > 0) blocks.push(paragraph(elements));
    elements = [];
  };
  for (const prefixed of lines) {
    // The text after buttons begins a new block, so there is no line to end.
    const before = elements.length === 0 ? prefixed.before.trimStart() : prefixed.before;
    elements.push(...toElements({...prefixed, before}));
    if (prefixed.line.blocks === undefined || prefixed.line.blocks.length === 0) continue;
    flush();
    blocks.push(...prefixed.line.blocks);
  }
  flush();
  return {
    text: lines.map(({line, before}) => `${before}${line.spoken}`).join(''),
    blocks,
    metadata: createMetadata('digest', {team: content.team, date: content.date, part}),
  };
}
