import type {Call} from '../../domain/core/access.js';
import {fieldError} from '../../domain/core/errors.js';
import {listMentions} from '../../domain/core/mentions.js';
import type {Standup} from '../../domain/standups/standup.js';
import type {ServiceContext} from '../core/context.js';
import {createMentionChecker, type NamedText, type RenameMentions} from '../core/mentions.js';
import type {StandupInput} from './standup-content.js';

type Formatted = Pick<Standup, 'update' | 'answers' | 'format'>;

/** The texts that a person writes, also in a change, where null removes all answers. */
type Texts = Pick<StandupInput, 'update' | 'after' | 'format'> & {
  readonly answers?: StandupInput['answers'] | null;
};

/** Checks the mentions in formatted standups, and writes the present names into them. */
export function createMentionResolver(context: ServiceContext) {
  const checkMentions = createMentionChecker(context);

  /**
   * Returns the input with the present names in new mentions. `before`: the standup that changes. Errors:
   * `validation_failed`, with an entry for each mention of something that does not exist.
   */
  return async function resolveMentions<Input extends Texts>(
    call: Call,
    input: Input,
    before?: Formatted,
  ): Promise<Input> {
    if ((input.format ?? before?.format) !== 'markdown') return input;
    if (input.format === 'markdown') requireNoNewMention(input, before);
    return renameInTexts(input, await checkMentions(call, listTexts(input), listTextsBefore(before)));
  };
}

/** A plain text may look like a mention. It becomes one only if it is sent again. */
function requireNoNewMention({update, answers, format}: Texts, before: Formatted | undefined): void {
  if (before === undefined || before.format === format) return;
  const kept = [
    ...(update === undefined ? [before.update] : []),
    ...(answers === undefined ? before.answers.map(({value}) => String(value)) : []),
  ];
  if (kept.every((text) => listMentions(text).length === 0)) return;
  const detail = 'The texts would mention people in this `format`: send `update` and `answers` too.';
  throw fieldError('validation_failed', '#/format', detail);
}

function listTexts({update, after, answers}: Texts): NamedText[] {
  const given = (answers ?? []).flatMap(({value}, i) =>
    typeof value === 'string'
      ? [{pointer: `#/answers/${i}/value`, field: `answers.${i}.value`, text: value}]
      : [],
  );
  const own = [update, after].flatMap((text) =>
    text === undefined ? [] : [{pointer: '#/update', field: 'update', text}],
  );
  return [...own, ...given];
}

function listTextsBefore(before: Formatted | undefined): string[] {
  if (before?.format !== 'markdown') return [];
  return [before.update, ...before.answers.map(({value}) => String(value))];
}

function renameInTexts<Input extends Texts>(input: Input, rename: RenameMentions): Input {
  const {update, after, answers} = input;
  return {
    ...input,
    ...(update !== undefined && {update: rename(update)}),
    ...(after !== undefined && {after: rename(after)}),
    ...(answers && {
      answers: answers.map((answer) =>
        typeof answer.value === 'string' ? {...answer, value: rename(answer.value)} : answer,
      ),
    }),
  };
}
