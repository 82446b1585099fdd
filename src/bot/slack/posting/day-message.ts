import {takeFitting} from '../../texts/cut-text.js';
import {isolateName} from '../../texts/bidi.js';
import {formatSentence, type Gaps, type OutgoingMessage} from '../blocks/blocks.js';
import {createDayButtons} from '../missing/missing-view.js';
import type {DayContent} from '../../showing/chat.js';
import {createMetadata} from '../../showing/metadata.js';
import {slackLimits} from '../blocks/names.js';
import {escapeText} from '../blocks/text.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {actionsRow, paragraph, textElement} from '../blocks/shapes.js';

/** Presents the message of a day. Names are in an element in which Slack finds no markup. */
export function presentDayMessage(
  translation: SlackTranslation,
  {team, date, in: count, of, names = [], closing}: DayContent,
): OutgoingMessage {
  const {posting} = translation.texts;
  const say = ({at}: Gaps): string => {
    const heading = posting.day({day: translation.shortDay(date), count, of});
    if (closing === undefined) return heading;
    return closing === 'closed' ? posting.closed({heading}) : posting.closes({heading, at: at(closing)});
  };
  const {elements: shown, text: heading} = formatSentence(translation, say, {bold: true});
  const metadata = createMetadata('day', {team, date});
  const row = actionsRow(...createDayButtons(translation.texts, team, date));
  if (names.length === 0) return {text: heading, blocks: [paragraph(shown), row], metadata};
  const postedLine = posting.postedNames({names: joinNames(translation, names)});
  const room = slackLimits.messageText - heading.length - 1;
  return {
    text: `${heading}\n${escapeText(postedLine, room)}`,
    blocks: [paragraph([...shown, textElement(`\n${postedLine}`)]), row],
    metadata,
  };
}

/** The maximum length of all names: half of an element's limit, so that escaped names fit too. */
const namesLength = slackLimits.element / 2;

function joinNames({texts}: SlackTranslation, given: readonly string[]): string {
  const names = given.map(isolateName);
  const shown = takeFitting(names, namesLength);
  const listed = shown.join(', ');
  const more = names.length - shown.length;
  return more === 0 ? listed : texts.posting.andMore({names: listed, more});
}
