import type {NewReplay} from '../api/schema.ts';

export interface ReplayChoice {
  readonly only: 'failed' | 'missed' | 'all';
  /** Number of hours back, or `own` for a custom span. */
  readonly span: '1' | '24' | '168' | '360' | 'own';
  /** Time in a `datetime-local` field, by the browser's clock, such as `2026-11-20T09:00`. */
  readonly from: string;
  readonly until: string;
  readonly everyType: boolean;
  readonly types: readonly string[];
}

export const firstChoice: ReplayChoice = {
  only: 'failed',
  span: '24',
  from: '',
  until: '',
  everyType: true,
  types: [],
};

export const spans = ['1', '24', '168', '360', 'own'] as const;

const hour = 3_600_000;
/** Margin (ms) below the limit of 15 days, which the service checks by its own clock on arrival. */
const margin = 120_000;

/** Converts the form to a replay request; undefined without a start, or without event types. */
export function toReplayRequest(choice: ReplayChoice, now: number): NewReplay | undefined {
  const since = choice.span === 'own' ? parseLocalTime(choice.from) : now - Number(choice.span) * hour;
  const until = choice.span === 'own' ? parseLocalTime(choice.until) : undefined;
  if (since === undefined || (!choice.everyType && choice.types.length === 0)) return undefined;
  return {
    since: new Date(choice.span === '360' ? since + margin : since).toISOString(),
    ...(until !== undefined && {until: new Date(until).toISOString()}),
    // The event types are valid, since they come from the webhook's patterns, which the service has checked.
    ...(!choice.everyType && {types: [...choice.types] as NonNullable<NewReplay['types']>}),
    only: choice.only,
  };
}

function parseLocalTime(local: string): number | undefined {
  const instant = new Date(local).getTime();
  return Number.isNaN(instant) ? undefined : instant;
}
