import {completeQuestion, type NewQuestion, type Question} from '../../domain/questions/question.js';
import {type Draft, applyPatch} from '../../domain/core/resource.js';
import {completeSchedule, type NewSchedule, type Schedule} from '../../domain/schedules/schedule.js';
import type {Team} from '../../domain/teams/team.js';

/** The fields of a team that a request may set when it creates or changes one. */
type TeamSettings = Omit<Draft<Team>, 'object' | 'slug' | 'schedule' | 'questions' | 'questions_version'> & {
  /** The schedule. By default it starts today. */
  readonly schedule: NewSchedule | null;
  readonly questions: readonly NewQuestion[];
};

export type TeamChange = {readonly [F in keyof TeamSettings]?: TeamSettings[F] | undefined};

/** A new team. By default its name is the slug and its time zone is UTC; for the rest see `teamDefaults`. */
export type NewTeam = Pick<Team, 'slug'> & TeamChange;

export type CompletedTeam<C> = Omit<C, 'schedule' | 'questions'> & {
  readonly schedule: Schedule | null | undefined;
  readonly questions: readonly Question[] | undefined;
};

/**
 * Converts the requested change of a team into the form that the store keeps. `today`: today's date in the
 * team's time zone.
 */
export function completeTeamChange<C extends TeamChange>(change: C, today: string): CompletedTeam<C> {
  const {schedule, questions, ...rest} = change;
  return {
    ...rest,
    schedule: schedule && completeSchedule(schedule, today),
    questions: questions?.map(completeQuestion),
  };
}

/** Returns the draft after the change. New questions get a new version. */
export function applyTeamChange(before: Draft<Team>, change: CompletedTeam<TeamChange>): Draft<Team> {
  const {slug: _, ...patch} = change as CompletedTeam<NewTeam>;
  const draft = applyPatch(before, patch);
  const asks = JSON.stringify(draft.questions) !== JSON.stringify(before.questions);
  return asks ? {...draft, questions_version: before.questions_version + 1} : draft;
}
