/** An act at an instant (ms). People and teams are referred to by their keys. */
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
  /** The answer of the failing receiver from now on. */
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
  /** Null: no end is set. */
  readonly until: string | null;
}

export interface DemoPlan {
  readonly startsAt: number;
  readonly endsAt: number;
  /** Days off of the whole company. */
  readonly companyDays: readonly {readonly date: string; readonly name: string}[];
  /** In their order. */
  readonly acts: readonly DemoAct[];
}
