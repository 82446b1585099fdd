import type {Blocker} from '../../../domain/blockers/blocker.js';
import type {Team} from '../../../domain/teams/team.js';
import type {AlsoTeams} from './extra-inputs.js';
import type {FormContent} from './form-content.js';
import type {ChooseForm, EditForm, NewForm} from './form-state.js';

export type FormData = ChooseData | NewData | EditData;

interface LoadedForm {
  readonly content: FormContent;
  readonly open: readonly Blocker[];
  /** A notice to read before submitting, with the text that it is about. */
  readonly note?: {readonly sentence: string; readonly text?: string} | undefined;
}

interface ShownNew extends LoadedForm {
  /** The teams from which the person can choose; empty if the team is clear. */
  readonly teams: readonly Team[];
  readonly also: AlsoTeams;
  /** The date of the standup, if not today. */
  readonly date?: string | undefined;
  /** The last working day, if not yesterday. */
  readonly since?: string | undefined;
  /** The update that the person can post once they have set up a team. */
  readonly waiting?: string | undefined;
}

export interface ChooseData extends ShownNew {
  readonly state: ChooseForm;
}

export interface NewData extends ShownNew {
  readonly state: NewForm;
  /** The team; undefined if the team has just been deleted. */
  readonly team: Team | undefined;
}

export interface EditData extends LoadedForm {
  readonly state: EditForm;
  /** The team; undefined if the team has just been deleted. */
  readonly team: Team | undefined;
  /** The text added to the standup, or to the new one that the person posts instead; empty for none. */
  readonly added: string;
}

export function isEditForm(data: FormData): data is EditData {
  return data.state.form === 'edit';
}

export function isTeamChoiceForm(data: FormData): data is ChooseData {
  return data.state.form === 'choose';
}
