import type {Schema} from '../api/schema.ts';

export type Run = Schema<'Run'>;
export type TeamDay = Schema<'TeamDay'>;
export type DayStandup = Schema<'DayPerson'>['standups'][number];

/** How somebody stood in a run, and what they said. */
export interface Outcome {
  readonly id: string;
  /** Null of somebody who was erased. */
  readonly name: string | null;
  readonly status: string;
  readonly reason: string | null;
  readonly until: string | null;
  /** The clock that they go by. */
  readonly zone: string;
  readonly standups: readonly ShownStandup[];
  /** They wrote something that is not kept any more. */
  readonly isErased: boolean;
}

export interface ShownStandup extends DayStandup {
  /** How long after the closing for its author it came, in ms; undefined where it was in time. */
  readonly lateMs: number | undefined;
}

/** By name, as the report of the run has them. `day`: what was said; read beside the run. */
export function listOutcomes(run: Run, day: TeamDay | undefined): readonly Outcome[] {
  const people = new Map(day?.people.map((person) => [person.member.id, person]));
  const zones = new Map(run.participants.map(({member, timezone}) => [member, timezone]));
  return (run.report?.lines ?? []).map(({member: {id, name}, status, reason, until, standups: told}) => {
    const person = people.get(id);
    const closes = person?.closes_at ?? run.closes_at;
    const standups = (person?.standups ?? []).map((standup) => ({
      ...standup,
      lateMs: standup.late ? Math.max(0, Date.parse(standup.created_at) - Date.parse(closes)) : undefined,
    }));
    return {
      id,
      name,
      status,
      reason,
      until,
      zone: person?.timezone ?? zones.get(id) ?? run.timezone,
      standups,
      isErased: told.some((one) => one.id === null),
    };
  });
}
