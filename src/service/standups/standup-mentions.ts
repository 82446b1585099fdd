import type {Call} from '../../domain/core/access.js';
import {fieldError, type InputError, toRefusalOfFields} from '../../domain/core/errors.js';
import {isId} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {listMentions, type Mention, renameMentions} from '../../domain/core/mentions.js';
import type {Standup} from '../../domain/standups/standup.js';
import type {ServiceContext} from '../core/context.js';
import type {StandupInput} from './standup-content.js';

type Formatted = Pick<Standup, 'update' | 'answers' | 'format'>;

/** The texts that a person writes, also in a change, where null removes all answers. */
type Texts = Pick<StandupInput, 'update' | 'after' | 'format'> & {
  readonly answers?: StandupInput['answers'] | null;
};

interface NamedText {
  readonly pointer: string;
  readonly field: string;
  readonly text: string;
}

/**
 * Checks the mentions in formatted texts. A mention shows the present name, or the one that the standup had
 * before: no label says Ada and leads to Grace.
 */
export function createMentionResolver({records, teams}: ServiceContext) {
  /** Finds the names of members and teams that the author can see, by id. */
  async function findNames(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    const directory = ids.some((id) => isId('team', id)) ? await teams.of(call) : undefined;
    await Promise.all(
      ids.map(async (id) => {
        const found = isId('member', id)
          ? await records.find(call.workspace, id, call.deadline)
          : directory?.byReference(id);
        if (found !== undefined) names.set(id, found.name);
      }),
    );
    return names;
  }

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
    const written = listTexts(input);
    const found = written.flatMap((text) =>
      listMentions(text.text).map((mention) => ({...text, ...mention})),
    );
    const last = found.at(-1);
    if (last === undefined) return input;
    const ids = [...new Set(found.map(({id}) => id))];
    if (ids.length > limits.mentions) {
      const detail = `\`${last.field}\` mentions too many: a standup may mention ${limits.mentions} members and teams.`;
      throw fieldError('validation_failed', last.pointer, detail);
    }
    const known = listKnown(before);
    const names = await findNames(call, ids);
    const errors = found.flatMap(({id, name, pointer, field}): InputError[] => {
      if (names.has(id) || known.has(describe({id, name}))) return [];
      const detail = `\`${field}\` mentions ${id}, which is no member or team here. Leave the mention out.`;
      return [{code: 'validation_failed', detail, pointer}];
    });
    if (errors.length > 0) throw toRefusalOfFields('validation_failed', errors);
    const rename = (text: string) =>
      renameMentions(text, (mention) => (known.has(describe(mention)) ? undefined : names.get(mention.id)));
    return renameInTexts(input, rename);
  };
}

const describe = ({id, name}: Pick<Mention, 'id' | 'name'>): string => `${id} ${name}`;

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

/** The mentions that a standup has already. */
function listKnown(before: Formatted | undefined): ReadonlySet<string> {
  if (before?.format !== 'markdown') return new Set();
  const texts = [before.update, ...before.answers.map(({value}) => String(value))];
  return new Set(texts.flatMap((text) => listMentions(text).map(describe)));
}

function renameInTexts<Input extends Texts>(input: Input, rename: (text: string) => string): Input {
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
