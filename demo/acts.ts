/**
 * An action in the demonstration, and the instant (ms) at which it happens. People and teams have short keys.
 */
export type DemoAct = {readonly at: number} & (
  | ({readonly do: 'post'} & OfDay & Content)
  | ({readonly do: 'edit'; readonly done: string} & OfDay)
  | ({readonly do: 'skip'; readonly reason: string | null} & OfDay)
  | {readonly do: 'away'; readonly person: string; readonly days: AwayDays; readonly reason: string}
  | {
      readonly do: 'acknowledge' | 'resolve';
      readonly by: string;
      readonly author: string;
      readonly text: string;
    }
  | {readonly do: 'subscribe'; readonly webhook: 'healthy' | 'failing'}
  /** Sets the status that the failing receiver answers from now on. */
  | {readonly do: 'answer'; readonly status: number}
  | {readonly do: 'replay'; readonly since: number; readonly until: number}
);

export interface OfDay {
  readonly team: string;
  readonly person: string;
  readonly date: string;
}

interface Content {
  readonly said: {readonly done: string; readonly next: string};
  readonly stuck: string | undefined;
  readonly mood: number;
  readonly byProgram: boolean;
}

export interface AwayDays {
  readonly from: string;
  /** The last day of the absence; null if it is not known yet. */
  readonly until: string | null;
}

export interface DemoPlan {
  readonly startsAt: number;
  readonly endsAt: number;
  /** The holidays of the whole company. */
  readonly companyDays: readonly {readonly date: string; readonly name: string}[];
  /** All actions in their order. */
  readonly acts: readonly DemoAct[];
}
