import type {KnownBlock, RichTextElement} from '@slack/types';
import type {ReportBlocker, ReportLine} from '../../../domain/runs/run-report.js';
import {cleanName, isolateDirection, isolateName} from '../../texts/bidi.js';
import {richTextSentence} from '../blocks/blocks.js';
import {cutToFit, type Stretch, cutText} from '../../texts/cut-text.js';
import {slackLimits} from '../blocks/names.js';
import {bold, link, textElement} from '../blocks/shapes.js';
import {parseWritten} from '../rich-text/parse-markdown.js';
import type {ParsedText} from '../rich-text/parse-text.js';
import {joinTexts, parseAndCutText, renderInlineElements, speakText} from '../rich-text/show-text.js';
import {escapeAll, escapeText} from '../blocks/text.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import type {DigestContent, DigestStandup} from '../../../domain/runs/run-content.js';

/** Lines that belong together and are never divided, as rich text and for screen readers. */
export interface DigestLine {
  readonly elements: readonly RichTextElement[];
  readonly spoken: string;
  /** True if this line continues the text of the line before. */
  readonly goesOn?: boolean;
  readonly blocks?: readonly KnownBlock[];
}

/** A heading and its lines. A heading may have no lines. The lines are created on demand. */
export interface DigestSection {
  readonly heading: string;
  readonly lines: Iterable<DigestLine>;
}

/** The limits on a report's texts and lists. Lengths are in UTF-16 code units. */
export interface DigestRoom {
  readonly update: number;
  readonly blocker: number;
  readonly reason: number;
  readonly name: number;
  /** The maximum number of people, or blockers, in a section. */
  readonly perSection: number;
}

export interface DigestBody {
  readonly sections: readonly DigestSection[];
  readonly cut: number;
  readonly left: number;
}

export type ActionsOf = (blocker: ReportBlocker) => readonly KnownBlock[];

/** Lists the sections of a report: blockers, then the people by status. Empty sections are left out. */
export function listSections(
  content: DigestContent,
  translation: SlackTranslation,
  room: DigestRoom,
  actionsOf: ActionsOf,
): DigestBody {
  const {report, namesMissing, standups} = content;
  const texts = translation.texts.digest;
  let [cut, left] = [0, 0];

  const shownName = (name: string): string => cutText(cleanName(name), room.name);

  function createSectionIfAny<T>(
    items: readonly T[],
    heading: (gaps: {readonly count: number}) => string,
    show: (item: T) => readonly DigestLine[],
    longTexts: (item: T) => number = () => 0,
  ): DigestSection[] {
    if (items.length === 0) return [];
    const shown = items.slice(0, room.perSection);
    const more = items.length - shown.length;
    left += more;
    for (const item of shown) cut += longTexts(item);
    function* listSectionLines() {
      for (const item of shown) yield* show(item);
      if (more > 0) yield createItalicLine(texts.more({count: more}));
    }
    return [{heading: heading({count: items.length}), lines: listSectionLines()}];
  }

  function presentLineWithText(
    sentence: DigestLine,
    text: ParsedText,
    blocks?: readonly KnownBlock[],
  ): DigestLine[] {
    const pieces = cutToFit(text.text, (at) => fitsInLine(text, at));
    const listSectionLines = pieces.map((at, i): DigestLine => {
      const said = escapeAll(isolateDirection(speakText(text, at)));
      const shown = renderInlineElements(text, at);
      if (i > 0) return {elements: shown, spoken: said, goesOn: true};
      return {
        elements: [...sentence.elements, textElement('\n'), ...shown],
        spoken: `${sentence.spoken}: ${said}`,
      };
    });
    const last = listSectionLines.pop() ?? sentence;
    return [...listSectionLines, blocks === undefined || blocks.length === 0 ? last : {...last, blocks}];
  }

  const standupsOf = ({standups: posted}: ReportLine) =>
    posted.map(({id}) => standups.get(id)).filter((standup) => standup !== undefined);
  const textsOf = (line: ReportLine) =>
    standupsOf(line).flatMap(({text, format}) => (text === null ? [] : parseWritten(text.trim(), format)));

  function listPosterLines(line: ReportLine): DigestLine[] {
    const name = createNameLine(shownName(line.member.name));
    const linked = addLinks(name, standupsOf(line), texts.link);
    const updates = textsOf(line);
    if (updates.length === 0) return [linked];
    return presentLineWithText(
      linked,
      joinTexts(
        updates.map((text) => parseAndCutText(text, room.update)),
        '\n\n',
      ),
    );
  }

  const longUpdates = (line: ReportLine) =>
    textsOf(line).filter(({text}) => text.length > room.update).length;

  function presentNamedLine({member}: ReportLine): DigestLine[] {
    return [createNameLine(shownName(member.name))];
  }

  /** A missing person may have forgotten to say here what their status in Slack says. */
  function presentMissingMember({member}: ReportLine): DigestLine[] {
    const name = createNameLine(shownName(member.name));
    const emoji = content.awayEmoji.get(member.id);
    if (emoji === undefined) return [name];
    const shown: RichTextElement[] = [textElement(' '), {type: 'emoji', name: emoji.slice(1, -1)}];
    return [{elements: [...name.elements, ...shown], spoken: `${name.spoken} ${emoji}`}];
  }

  function presentAbsentMember({member, reason, until}: ReportLine): DigestLine[] {
    const say = (name: string, why: string | null) =>
      texts.off({
        name,
        why,
        until: until === null || until <= content.date ? null : translation.shortDay(until),
      });
    const given = cutText(reason?.trim() ?? '', room.reason) || null;
    const name = shownName(member.name);
    return [
      {
        elements: richTextSentence((gap) =>
          say(gap(bold(name)), given && gap(textElement(cleanName(given)))),
        ),
        spoken: say(escapeText(isolateName(name)), given && escapeText(isolateName(given))),
      },
    ];
  }

  const longReason = ({reason}: ReportLine) => Number((reason?.trim().length ?? 0) > room.reason);

  function listBlockerLines(blocker: ReportBlocker): DigestLine[] {
    const {author, created_at, state, text} = blocker;
    const at = Date.parse(created_at);
    const name = shownName(author.name);
    const say = (displayName: string, since: string) =>
      texts.blocker({name: displayName, since, state: texts.states[state]});
    const sentence = {
      elements: richTextSentence((gap) => say(gap(bold(name)), gap(translation.richInstant(at)))),
      spoken: say(escapeText(isolateName(name)), translation.instant(at)),
    };
    return presentLineWithText(sentence, parseAndCutText(text.trim(), room.blocker), actionsOf(blocker));
  }

  const of = (...statuses: readonly ReportLine['status'][]) =>
    report.lines.filter(({status}) => statuses.includes(status));
  const missing = of('missed', 'expected');

  const sections = [
    ...createSectionIfAny(report.blockers, texts.blockers, listBlockerLines, ({text}) =>
      Number(text.trim().length > room.blocker),
    ),
    ...createSectionIfAny(of('posted'), texts.in, listPosterLines, longUpdates),
    ...createSectionIfAny(of('late'), texts.late, listPosterLines, longUpdates),
    ...createSectionIfAny(of('away'), texts.away, presentAbsentMember, longReason),
    ...createSectionIfAny(of('holiday'), texts.holiday, presentAbsentMember, longReason),
    ...createSectionIfAny(of('skipped'), texts.skipped, presentAbsentMember, longReason),
    ...createSectionIfAny(of('unreachable'), texts.unreachable, presentNamedLine),
    ...(namesMissing
      ? createSectionIfAny(missing, texts.missing, presentMissingMember)
      : missing.length > 0
        ? [{heading: texts.missing({count: missing.length}), lines: []}]
        : []),
  ];
  return {sections, cut, left};
}

/** The maximum length of one line, much less than a message, so that headings fit beside it. */
const lineText = 3_000;
const lineBytes = 8_000;

function fitsInLine(text: ParsedText, at: Stretch): boolean {
  const said = text.text.slice(...at);
  return (
    said.length <= slackLimits.element &&
    escapeAll(isolateDirection(said)).length <= lineText &&
    Buffer.byteLength(JSON.stringify(renderInlineElements(text, at))) <= lineBytes
  );
}

function createItalicLine(sentence: string): DigestLine {
  return {elements: [textElement(sentence, {italic: true})], spoken: sentence};
}

function createNameLine(name: string): DigestLine {
  return {elements: [bold(name)], spoken: escapeText(isolateName(name))};
}

/** Puts links after a text. Names are separate elements, in which Slack finds no markup. */
function addLinks(
  line: DigestLine,
  standups: readonly DigestStandup[],
  name: (gaps: {readonly number: number}) => string,
): DigestLine {
  const urls = standups.flatMap(({permalink}) => permalink ?? []).slice(0, linksPerPerson);
  const links = urls.flatMap((url, i): RichTextElement[] => [
    textElement(' · '),
    link(url, name({number: i + 1})),
  ]);
  return {...line, elements: [...line.elements, ...links]};
}

const linksPerPerson = 10;
