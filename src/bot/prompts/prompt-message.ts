import type {ActionsBlock, KnownBlock, PlainTextOption, RichTextElement} from '@slack/types';
import {type Prompt, type PromptLine, snoozeMinutes} from '../../domain/prompt.js';
import {cleanName, nameInText} from '../bidi.js';
import {richSentence} from '../blocks.js';
import {packValue} from '../button-value.js';
import {packDates} from '../form/form-dates.js';
import {actions, messageTypes} from '../names.js';
import type {FoundMetadata, Message} from '../posting/messages.js';
import {escapeText} from '../text.js';
import {type Reader, readerOf, type Words} from '../words/words.js';

/** Teams that one message names; who is in more finds them in the form. */
const maxLines = 20;

/**
 * The message of a day: how the person stands with each team, and, as long as there is something left to post, what can be done about it.
 * `snoozed`: until when (ms) they want to hear nothing.
 */
export function presentPrompt(
  {member, date, take, times}: Pick<Prompt, 'member' | 'date' | 'take' | 'times'>,
  lines: readonly PromptLine[],
  snoozed?: number,
): Message {
  const reader = readerOf();
  const {prompts} = reader.words;
  const open = lines.filter(({state}) => state === 'open');
  const isOpen = open.length > 0;
  const say = (at: (ms: number) => string): string => {
    if (!isOpen) return prompts.over(reader.day(date));
    return snoozed === undefined ? prompts.due(open.length, times > 1) : prompts.snoozed(at(snoozed));
  };
  const shown = lines.slice(0, maxLines).map((line) => ({
    ...line,
    day: lines.some(({run, team}) => run !== line.run && team.id === line.team.id)
      ? reader.day(line.date)
      : undefined,
  }));
  const more = lines.length > shown.length ? [prompts.more(lines.length - shown.length)] : [];
  const items = [
    ...shown.map((line) => richLine(reader, line)),
    ...more.map((text): RichTextElement[] => [{type: 'text', text}]),
  ];
  const blocks: KnownBlock[] = [
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: richSentence((gap) => say((ms) => gap(reader.richInstant(ms))), {bold: true}),
        },
        ...(items.length === 0
          ? []
          : [
              {
                type: 'rich_text_list' as const,
                style: 'bullet' as const,
                elements: items.map((elements) => ({type: 'rich_text_section' as const, elements})),
              },
            ]),
      ],
    },
  ];
  const asks = firstQuestion(reader, open);
  const {invitation} = reader.words.typing;
  if (isOpen) {
    const elements: RichTextElement[] = [{type: 'text', text: `${invitation} ${asks}`}];
    blocks.push({type: 'rich_text', elements: [{type: 'rich_text_section', elements}]});
    blocks.push(presentActions(prompts, date, open));
  }
  const last = isOpen ? [`${invitation} ${escapeText(asks, maxQuestion)}`] : [];
  const text = [
    say(reader.instant),
    ...shown.map((line) => `• ${textLine(reader, line)}`),
    ...more,
    ...last,
  ].join('\n');
  return {text, blocks, metadata: {event_type: messageTypes.prompt, event_payload: {member, date, take}}};
}

/** What is answered by whoever just types: of the team that closes first. */
function firstQuestion({words: {typing}}: Reader, open: readonly PromptLine[]): string {
  const [first] = open.toSorted((a, b) => a.closesAt - b.closesAt);
  const [question] = first?.team.questions ?? [];
  return question === undefined ? typing.questions.today : cleanName(question.label);
}

const maxQuestion = 200;

/** True for the metadata of the message that a prompt was to be posted as. */
export function isPromptOf(
  {member, date, take}: Pick<Prompt, 'member' | 'date' | 'take'>,
  metadata: FoundMetadata | undefined,
): boolean {
  const {event_type: type, event_payload: found} = metadata ?? {};
  return (
    type === messageTypes.prompt &&
    found?.['member'] === member &&
    found['date'] === date &&
    Number(found['take']) === take
  );
}

/** `day`: which one it is about, where that is not plain. */
type ShownLine = PromptLine & {readonly day: string | undefined};

function sentence({prompts}: Words, {state, day}: ShownLine, name: string, closes: string): string {
  const team = day === undefined ? name : prompts.ofDay(name, day);
  switch (state) {
    case 'open':
      return prompts.open(team, closes);
    case 'closed':
      return prompts.closed(team, closes);
    default:
      return prompts[state](team);
  }
}

function richLine(reader: Reader, line: ShownLine): RichTextElement[] {
  const elements = richSentence((gap) =>
    sentence(
      reader.words,
      line,
      gap({type: 'text', text: nameInText(line.team.name)}),
      gap(reader.richInstant(line.closesAt)),
    ),
  );
  if (line.link === undefined) return elements;
  const text = reader.words.prompts.look;
  return [...elements, {type: 'text', text: ' '}, {type: 'link', url: line.link, text}];
}

function textLine(reader: Reader, line: ShownLine): string {
  const name = escapeText(nameInText(line.team.name), maxName - (line.day?.length ?? 0));
  const said = sentence(reader.words, line, name, reader.instant(line.closesAt));
  return line.link === undefined ? said : `${said} ${line.link}`;
}

/** So that all lines together are no more than Slack takes of a text. */
const maxName = 80;

function presentActions(words: Words['prompts'], date: string, open: readonly PromptLine[]): ActionsBlock {
  const runs = open.toSorted((a, b) => a.closesAt - b.closesAt);
  // Of several runs of a team Post is for the one that closes first; the message then changes, and is for the next.
  const first = runs.filter((line, i) => runs.findIndex(({team}) => team.id === line.team.id) === i);
  const only = first.length === 1 ? first[0] : undefined;
  const options = snoozeMinutes.map(
    (minutes): PlainTextOption => ({
      text: {type: 'plain_text', text: words.snoozeFor(minutes)},
      value: `${date}/${minutes}`,
    }),
  );
  return {
    type: 'actions',
    elements: [
      {
        type: 'button',
        action_id: actions.promptPost,
        style: 'primary',
        text: {type: 'plain_text', text: words.post},
        // In several teams they choose in the form.
        value: packValue({
          team: only?.team.id,
          dates: packDates(first.map(({team, date: day}) => [team.id, day])),
        }),
      },
      {
        type: 'button',
        action_id: actions.promptSkip,
        text: {type: 'plain_text', text: words.skip},
        value: packValue({date}),
      },
      {
        type: 'static_select',
        action_id: actions.promptSnooze,
        placeholder: {type: 'plain_text', text: words.snooze},
        options,
      },
    ],
  };
}
