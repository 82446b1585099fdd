import type {LeadSummary, SummaryBlocker} from '../../../domain/runs/lead-summary.js';
import type {NoticeEvent} from '../../../domain/slack/notice-content.js';
import {createMetadata} from '../../showing/metadata.js';
import {cleanName, isolateDirection, isolateName} from '../../texts/bidi.js';
import {cutText} from '../../texts/cut-text.js';
import {formatSentence, type OutgoingMessage} from '../blocks/blocks.js';
import {bulletList, link, paragraph, textElement} from '../blocks/shapes.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {escapeAll} from '../blocks/text.js';

/** The maximum numbers of names in a line and of blockers, and of characters of a name and of a blocker. */
const [maxNames, maxBlockers, nameLength, textLength] = [20, 10, 40, 120];

/** Tells a lead what needs them when a run has closed: who is missing, who is away, and what blocks. */
export function presentLeadSummary(
  translation: SlackTranslation,
  event: NoticeEvent,
  summary: LeadSummary,
  dashboard: string,
): OutgoingMessage {
  const {closing: texts} = translation.texts;
  const {team, date, posted, expected, missing, away, blockers} = summary;
  const showName = (name: string) => isolateName(cutText(cleanName(name), nameLength));
  const showNames = (all: readonly string[]) => {
    const names = all.slice(0, maxNames).map(showName).join(', ');
    return all.length > maxNames ? texts.moreNames({names, left: all.length - maxNames}) : names;
  };
  const showBlocker = ({author, text, days, owner}: SummaryBlocker) =>
    texts.blocker({
      name: showName(author),
      days,
      text: isolateDirection(cutText(text.trim().replaceAll(/\s+/g, ' '), textLength)),
      owner: owner === null ? null : showName(owner),
    });
  const left = blockers.length - maxBlockers;
  const lines = [
    ...(missing.length > 0 ? [texts.missing({names: showNames(missing)})] : []),
    ...(away.length > 0 ? [texts.away({names: showNames(away)})] : []),
    ...blockers.slice(0, maxBlockers).map(showBlocker),
    ...(left > 0 ? [texts.moreBlockers({left})] : []),
  ];
  const {elements, text} = formatSentence(
    translation,
    ({name}) => texts.head({team: name(team.name), day: translation.day(date), posted, expected}),
    {bold: true},
  );
  const page = `${dashboard}/t/${team.slug}?date=${date}`;
  return {
    text: [text, ...lines.map((line) => `• ${escapeAll(line)}`), page].join('\n'),
    blocks: [
      paragraph(elements, bulletList(lines.map((line) => [textElement(line)]))),
      paragraph([link(page, texts.day)]),
    ],
    metadata: createMetadata('notice', {event}),
  };
}
