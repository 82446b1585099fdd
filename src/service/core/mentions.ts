import type {Call} from '../../domain/core/access.js';
import {fieldError, type InputError, toRefusalOfFields} from '../../domain/core/errors.js';
import {isId} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {listMentions, type Mention, renameMentions} from '../../domain/core/mentions.js';
import type {ServiceContext} from './context.js';

/** A text in Markdown that a person writes, and where it is in the request. */
export interface NamedText {
  readonly pointer: string;
  readonly field: string;
  readonly text: string;
}

/** Writes the present names into the mentions of a text. */
export type RenameMentions = (text: string) => string;

/**
 * Checks the mentions in texts. A mention shows the present name, or the one that the resource had before: no
 * label says Ada and leads to Grace.
 */
export function createMentionChecker({records, teams}: ServiceContext) {
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
   * `before`: the texts of the resource that changes, if they are in Markdown. Errors: `validation_failed`, with
   * an entry for each mention of something that does not exist.
   */
  return async function checkMentions(
    call: Call,
    written: readonly NamedText[],
    before: readonly string[],
  ): Promise<RenameMentions> {
    const found = written.flatMap((text) =>
      listMentions(text.text).map((mention) => ({...text, ...mention})),
    );
    const last = found.at(-1);
    if (last === undefined) return (text) => text;
    const ids = [...new Set(found.map(({id}) => id))];
    if (ids.length > limits.mentions) {
      const detail = `\`${last.field}\` mentions too many: at most ${limits.mentions} members and teams can be mentioned.`;
      throw fieldError('validation_failed', last.pointer, detail);
    }
    const known = new Set(before.flatMap((text) => listMentions(text).map(describe)));
    const names = await findNames(call, ids);
    const errors = found.flatMap(({id, name, pointer, field}): InputError[] => {
      if (names.has(id) || known.has(describe({id, name}))) return [];
      const detail = `\`${field}\` mentions ${id}, which is no member or team here. Leave the mention out.`;
      return [{code: 'validation_failed', detail, pointer}];
    });
    if (errors.length > 0) throw toRefusalOfFields('validation_failed', errors);
    return (text) =>
      renameMentions(text, (mention) => (known.has(describe(mention)) ? undefined : names.get(mention.id)));
  };
}

const describe = ({id, name}: Pick<Mention, 'id' | 'name'>): string => `${id} ${name}`;
