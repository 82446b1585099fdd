import {isolateName} from '../../texts/bidi.js';
import {richTextSentence, type OutgoingMessage} from '../blocks/blocks.js';
import {createDayMenu} from '../missing/missing-view.js';
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
  const say = (at: (ms: number) => string): string => {
    const heading = posting.day({day: translation.shortDay(date), count, of});
    if (closing === undefined) return heading;
    return closing === 'closed' ? posting.closed({heading}) : posting.closes({heading, at: at(closing)});
  };
  const heading = say(translation.instant);
  const shown = richTextSentence((gap) => say((ms) => gap(translation.richInstant(ms))), {bold: true});
  const metadata = createMetadata('day', {team, date});
  const menu = actionsRow(createDayMenu(translation.texts, team, date));
  if (names.length === 0) return {text: heading, blocks: [paragraph(shown), menu], metadata};
  const postedLine = posting.postedNames({names: joinNames(translation, names)});
  const room = slackLimits.messageText - heading.length - 1;
  return {
    text: `${heading}\n${escapeText(postedLine, room)}`,
    blocks: [paragraph([...shown, textElement(`\n${postedLine}`)]), menu],
    metadata,
  };
}

/** The maximum length of all names: half of an element's limit, so that escaped names fit too. */
const namesLength = slackLimits.element / 2;

function joinNames({texts}: SlackTranslation, given: readonly string[]): string {
  const names = given.map(isolateName);
  let shown = 0;
  for (let length = 0; shown < names.length; shown++) {
    length += (names[shown]?.length ?? 0) + 2;
    if (length > namesLength) break;
  }
  const listed = names.slice(0, shown).join(', ');
  return shown === names.length ? listed : texts.posting.andMore({names: listed, more: names.length - shown});
}
