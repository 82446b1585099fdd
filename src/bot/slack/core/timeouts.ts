/**
 * The bot's timeouts (ms), after which it goes on with less. Slack takes an answer for 3 s, a trigger lives
 * as long, and the rest is left for the network.
 */
export interface Timeouts {
  /**
   * For one call to Slack that a person waits for. A trigger lives 3 s: a refusal serves them better than a
   * late answer.
   */
  readonly call: number;
  /** For an answer of any kind, before Bolt gives an empty one. */
  readonly request: number;
  /** For everything that an answer needs. */
  readonly answer: number;
  /** For Slack's answer about a new person; the store has its own time after that. */
  readonly newcomer: number;
  readonly storing: number;
  /** For the content of a modal, before a loading view opens instead. */
  readonly view: number;
  /** For the content of a Home, before it says that it takes longer. */
  readonly home: number;
  /** For the team of a day's message, before the form opens without it. */
  readonly team: number;
  /** For all names that a command, a typed message or a message shortcut mentions. */
  readonly names: {readonly command: number; readonly typed: number; readonly shortcut: number};
  /** For Slack's answer about one mentioned person, and about a member who changes something. */
  readonly profile: number;
  /** For Slack's answers about the people who were chosen in a setup. */
  readonly people: number;
  /** For the language of a person, before they read that of the installation. */
  readonly language: number;
  /** For the memory of requests that have been taken already. */
  readonly signature: number;
}

export const standardTimeouts: Timeouts = {
  call: 2_000,
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
  language: 300,
  signature: 400,
};
