import {completeQuestion, type NewQuestion, type Question} from '../../domain/questions/question.js';
import {type Draft, patched} from '../../domain/core/resource.js';
import {
  completeSchedule,
  type LatePolicy,
  type PromptAt,
  type NewSchedule,
  type Schedule,
} from '../../domain/schedules/schedule.js';
import type {SlackDigest, SlackMentions, SlackPostMode, Team} from '../../domain/teams/team.js';

export interface NewTeam {
  /** Lower-case letters, digits and dashes; permanent. */
  readonly slug: string;
  /** The slug when left out. */
  readonly name?: string | undefined;
  /** IANA zone; UTC when left out. */
  readonly timezone?: string | undefined;
  readonly slack_channel_id?: string | null | undefined;
  /** `thread` when left out. */
  readonly slack_post_mode?: SlackPostMode | undefined;
  readonly slack_digest?: SlackDigest | undefined;
  readonly names_missing?: boolean | undefined;
  readonly slack_mentions?: SlackMentions | undefined;
  readonly slack_weekly_summary?: boolean | undefined;
  /** `before_closing` when left out. */
  readonly prompt_at?: PromptAt | undefined;
  /** It starts today when it does not say. */
  readonly schedule?: NewSchedule | null | undefined;
  readonly paused?: boolean | undefined;
  readonly late_policy?: LatePolicy | undefined;
  readonly questions?: readonly NewQuestion[] | undefined;
}

export type TeamChange = Partial<Omit<NewTeam, 'slug'>>;

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
