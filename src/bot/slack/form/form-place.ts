import type {ViewOutput} from '@slack/bolt';
import {actions, fields, fieldValue} from '../blocks/names.js';
import type {SlackNames} from '../rich-text/names.js';
import {isTextUntouched, readInputText, type ShownInput} from '../rich-text/rich-input.js';
import type {FormContent} from './form-content.js';
import type {FormDates} from './form-dates.js';
import {areAnswersUntouched, readQuestions} from './question-inputs.js';
import type {Id} from '../../../domain/core/ids.js';

/** What a form is opened with, and is sent back with: its `private_metadata`. */
export interface FormPlace {
  /** Id of the team, when it was clear at the opening. */
  readonly team?: Id<'team'> | undefined;
  /** True when it is the team of the channel, which posting there joins. */
  readonly joins?: boolean | undefined;
  /** The standup that is edited, and the revision that was read. */
  readonly standup?: string | undefined;
  readonly revision?: number | undefined;
  /** The date of that standup, for which one that is deleted meanwhile is made anew. */
  readonly date?: string | undefined;
  /**
   * True when the inputs began with exactly what the standup says: handed in untouched, nothing has
   * changed.
   */
  readonly asWritten?: boolean | undefined;
  /** The team that was picked in the form, whose inputs it shows. */
  readonly picked?: string | undefined;
  /** True when the standup was found among those of several teams: a new one lets choose among them. */
  readonly picks?: boolean | undefined;
  /** The channel without a team in which it was opened, where one can be set up instead. */
  readonly setUpIn?: string | undefined;
  /**
   * For which date a new standup is, by team; what is not said is decided when it is handed in. Of an edit:
   * for which its New update is.
   */
  readonly dates?: FormDates | undefined;
  /** The draft that its author has typed to the bot, and that this form posts: see `FormWish`. */
  readonly typed?: string | undefined;
  /** How many inputs hold the text, when it stands there as a whole. */
  readonly pieces?: number | undefined;
  /**
   * The version of the team's questions that are shown, and how the text beside the answers belongs to
   * them.
   */
  readonly asks?: {readonly version: number; readonly beside: 'after' | 'apart'} | undefined;
  /**
   * Where the person is answered privately once it is saved, until when (ms since the epoch), and whether
   * in place of what stands there.
   */
  readonly answer?: {readonly url: string; readonly until: number; readonly replaces?: boolean} | undefined;
}

/** Nothing but our own bot writes this, and Slack vouches for it by its signature. */
export function parsePlace(metadata: string): FormPlace {
  try {
    return JSON.parse(metadata) as FormPlace;
  } catch {
    return {};
  }
}

/**
 * The id of a field's block. It differs with the standup's revision: Slack keeps what was typed into a
 * block of the same id when a view is replaced, whatever the new one begins with. For the same reason what
 * differs from team to team has the one that is picked in its id; the three parts have not, so that nothing
 * is lost of what is typed while the team changes.
 */
export function blockId(field: string, {revision, picked}: FormPlace): string {
  if (revision !== undefined) return `${field}.${revision}`;
  return picked === undefined || ofEveryTeam.has(field) ? field : `${field}.${picked}`;
}

const ofEveryTeam: ReadonlySet<string> = new Set([
  fields.team,
  fields.yesterday,
  fields.today,
  fields.blockers,
]);

/** Id of the team that is picked in the form; undefined where none is, or there is no list. */
export function readPicked({state}: Pick<ViewOutput, 'state'>): string | undefined {
  return state.values[fields.team]?.[actions.chooseTeam]?.selected_option?.value;
}

/** The field of a piece of the whole text, from 0. */
export function pieceField(index: number): string {
  return index === 0 ? fields.update : `${fields.update}-${index + 1}`;
}

/** What was typed into the form. */
export function readContent(view: ViewOutput, place: FormPlace, names: SlackNames): FormContent {
  const read = (field: string) => readInput(view, blockId(field, place), names);
  const pieces = Array.from({length: place.pieces ?? 0}, (_, index) => read(pieceField(index)));
  if (place.asks !== undefined)
    return {shape: 'questions', ...place.asks, ...readQuestions(view, names), pieces};
  if (place.pieces !== undefined) return {shape: 'whole', pieces};
  return {
    shape: 'parts',
    parts: {
      yesterday: read(fields.yesterday),
      today: read(fields.today),
      blockers: read(fields.blockers),
    },
  };
}

/** Whether every input is handed in as it was shown. */
export function isUntouched(
  {blocks, state}: Pick<ViewOutput, 'blocks' | 'state'>,
  names: SlackNames,
): boolean {
  if (!areAnswersUntouched({blocks, state})) return false;
  return (blocks as Input[]).every(
    ({block_id, element}) =>
      element === undefined ||
      !textInputs.has(element.type ?? '') ||
      isTextUntouched(state.values[block_id ?? '']?.[fieldValue] ?? {}, element, names),
  );
}

/** Plain ones are of forms that were opened before there were others. */
const textInputs: ReadonlySet<string> = new Set(['rich_text_input', 'plain_text_input']);

interface Input {
  readonly block_id?: string;
  readonly element?: ShownInput;
}

function readInput({state, blocks}: ViewOutput, id: string, names: SlackNames): string {
  const shown = (blocks as Input[]).find(({block_id}) => block_id === id);
  return readInputText(state.values[id]?.[fieldValue], shown?.element, names);
}
