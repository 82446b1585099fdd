import {completeQuestion, type NewQuestion, type Question} from '../../domain/questions/question.js';
import {type Draft, patched} from '../../domain/core/resource.js';
import {completeSchedule, type NewSchedule, type Schedule} from '../../domain/schedules/schedule.js';
import type {Team} from '../../domain/teams/team.js';

/** The members of a team that a request may give, to make it and to change it. */
type Choices = Omit<Draft<Team>, 'object' | 'slug' | 'schedule' | 'questions' | 'questions_version'> & {
  /** It starts today when it does not say. */
  readonly schedule: NewSchedule | null;
  readonly questions: readonly NewQuestion[];
};

export type TeamChange = {readonly [F in keyof Choices]?: Choices[F] | undefined};

/** The name is the slug when it is left out, the zone UTC; for the rest see `teamDefaults`. */
export type NewTeam = Pick<Team, 'slug'> & TeamChange;

export type Completed<C> = Omit<C, 'schedule' | 'questions'> & {
  readonly schedule: Schedule | null | undefined;
  readonly questions: readonly Question[] | undefined;
};

/** What is asked for in the spelling in which it is kept; `today`: in the team's zone. */
export function completed<C extends TeamChange>(change: C, today: string): Completed<C> {
  const {schedule, questions, ...rest} = change;
  return {
    ...rest,
    schedule: schedule && completeSchedule(schedule, today),
    questions: questions?.map(completeQuestion),
  };
}

/** A draft with what is given. New questions are a new version of them. */
export function changed(before: Draft<Team>, change: Completed<TeamChange>): Draft<Team> {
  const {slug: _, ...patch} = change as Completed<NewTeam>;
  const draft = patched(before, patch);
  const asks = JSON.stringify(draft.questions) !== JSON.stringify(before.questions);
  return asks ? {...draft, questions_version: before.questions_version + 1} : draft;
}
