import type {Run, Schema, TeamDay} from '../api/schema.ts';

export type DayStandup = Schema<'DayPerson'>['standups'][number];

/** A participant's status in a run, and their standups. */
export interface ParticipantOutcome {
  readonly id: string;
  readonly name: string | null;
  readonly status: string;
  readonly reason: string | null;
  readonly until: string | null;
  /** The participant's time zone. */
  readonly zone: string;
  readonly standups: readonly TimedStandup[];
  /** True if the participant posted something that has been erased. */
  readonly isErased: boolean;
}

export interface TimedStandup extends DayStandup {
  /** Time (ms) from the closing by the author's clock until the post; undefined if on time. */
  readonly lateMs: number | undefined;
}

/** Lists the outcomes by name, as in the run's report. `day` has the standups, read separately. */
export function listOutcomes(run: Run, day: TeamDay | undefined): readonly ParticipantOutcome[] {
  const people = new Map(day?.people.map((person) => [person.member.id, person]));
  const zones = new Map(run.participants.map(({member, timezone}) => [member, timezone]));
  return (run.report?.lines ?? []).map(({member: {id, name}, status, reason, until, standups: reported}) => {
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
      isErased: reported.some((one) => one.id === null),
    };
  });
}
