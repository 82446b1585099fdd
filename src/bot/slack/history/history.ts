import type {RespondArguments} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {findViewer} from '../core/requester.js';
import {listenToButton} from '../core/listeners.js';
import {actions, slackLimits} from '../blocks/names.js';
import type {KnownBlock, RichTextBlockElement} from '@slack/types';
import {standupText} from '../../../domain/questions/answers.js';
import type {ShownStandup} from '../../../domain/standups/standup.js';
import {isolateDirection, isolateName} from '../../texts/bidi.js';
import {privateAnswer} from '../blocks/blocks.js';
import {bold, button, header, link, paragraph, actionsRow, textElement} from '../blocks/shapes.js';
import {formButton} from '../answers/buttons.js';
import {parseWritten} from '../rich-text/parse-markdown.js';
import type {ParsedText} from '../rich-text/parse-text.js';
import {parseAndCutText, renderText, speakText} from '../rich-text/show-text.js';
import {cutText} from '../../texts/cut-text.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';

const shown = 10;

/** Handles `/standup history`. `past`: the end of the previous page. Errors: see `identify`. */
export async function showHistory(
  context: SlackContext,
  request: SlackRequest,
  past?: number,
): Promise<RespondArguments> {
  const {translation} = request;
  const isFirst = past === undefined;
  const {slackWorkspace, member, access} = await findViewer(context, request);
  if (member === undefined) return presentHistory(translation, {rows: [], next: undefined, isFirst});
  const page = await context.services.standups.listShownStandups(access, {
    author: member,
    past,
    limit: shown,
  });
  const rows = page.rows.map((row) => {
    const standup = parseWire(row);
    return {
      standup,
      team: slackWorkspace.directory.byReference(standup.team_id)?.name ?? translation.texts.typed.goneTeam,
    };
  });
  return presentHistory(translation, {rows, next: page.next, isFirst});
}

export function listenToHistory(context: SlackContext): void {
  listenToButton(
    context,
    actions.history,
    async ({request, value: {past}}, answer) => {
      const from = Number.isSafeInteger(past) ? Number(past) : undefined;
      await answer(await showHistory(context, request, from));
    },
    'modal',
  );
}

interface HistoryPage {
  readonly rows: readonly {readonly standup: ShownStandup; readonly team: string}[];
  /** The position of the next, earlier standups; undefined if there are none. */
  readonly next: number | undefined;
  readonly isFirst: boolean;
}

/** The maximum length of each text: ten texts fit into one message, in any script. */
const excerpt = 200;
const nameLength = 60;
/** The maximum size (bytes) of a formatted text: ten fit into one message. A larger one is shown plain. */
const quoteBytes = 700;

function presentHistory(translation: SlackTranslation, {rows, next, isFirst}: HistoryPage): RespondArguments {
  const {history} = translation.texts.typed;
  const title = isFirst ? history.title : history.earlierTitle;
  const earlier: KnownBlock[] =
    next === undefined ? [] : [actionsRow(button(actions.history, history.earlier, {past: next}))];
  if (rows.length === 0) {
    const message = privateAnswer(isFirst ? history.none : history.noneEarlier);
    return next === undefined ? message : {...message, blocks: earlier};
  }
  const lines = rows.map(({standup, team}) => {
    const name = isolateName(cutText(team, nameLength));
    const whole = parseWritten(standupText(standup).trim(), standup.format);
    return {
      ...standup,
      name,
      day: translation.day(standup.date),
      whole,
      said: cutText(speakText(whole).trim(), excerpt),
    };
  });
  const blocks = lines.flatMap(({id, name, day, said, whole, slack}): KnownBlock[] => {
    const url = slack?.permalink;
    const linked = typeof url === 'string' ? [textElement(' · '), link(url, history.link)] : [];
    const wish = {mode: 'edit', standup: id} as const;
    return [
      paragraph([bold(history.row({day, team: name})), ...linked], quoteStandup(said, whole)),
      actionsRow(formButton(history.edit, wish, undefined, history.editOf({team: name, day}))),
    ];
  });
  const text = [
    title,
    ...lines.map(({name, day, said}) => `${history.row({day, team: name})}: ${isolateDirection(said)}`),
  ];
  return {
    ...privateAnswer(cutText(text.join('\n'), slackLimits.messageText)),
    blocks: [header(title), ...blocks, ...earlier],
  };
}

function quoteStandup(said: string, whole: ParsedText): RichTextBlockElement[] {
  const shown = renderText(parseAndCutText(whole, excerpt), undefined, {quoted: true});
  const fits = Buffer.byteLength(JSON.stringify(shown)) <= quoteBytes;
  return fits ? shown : [{type: 'rich_text_quote', elements: [textElement(said)]}];
}
