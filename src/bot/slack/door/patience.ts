/**
 * How long (ms) the bot waits before it goes on with less. Slack takes an answer for 3 s, a trigger lives as
 * long, and the rest is left for the way.
 */
export interface Patience {
  /** For an answer of any kind, before Bolt gives one that says nothing. */
  readonly request: number;
  /** For everything that an answer needs. */
  readonly answer: number;
  /** For what Slack tells of somebody new, while the store has its own time after that. */
  readonly newcomer: number;
  readonly storing: number;
  /** For what stands in a modal, before a loading view opens in its place. */
  readonly view: number;
  /** For what stands in a Home, before it says that it takes longer. */
  readonly home: number;
  /** For the team that a message of a day is about, before the form opens without it. */
  readonly team: number;
  /** For all names that a command, a typed message or a message shortcut mentions. */
  readonly names: {readonly command: number; readonly typed: number; readonly shortcut: number};
  /** For what Slack tells of one mentioned person, and of a member who changes something. */
  readonly profile: number;
  /** For what Slack tells of those who were chosen in a set-up. */
  readonly people: number;
  /** For the memory of requests that were taken already. */
  readonly signature: number;
}

export const standardPatience: Patience = {
  request: 3_001,
  answer: 1_800,
  newcomer: 1_200,
  storing: 500,
  view: 700,
  home: 1_000,
  team: 500,
  names: {command: 700, typed: 600, shortcut: 400},
  profile: 500,
  people: 600,
  signature: 400,
};
