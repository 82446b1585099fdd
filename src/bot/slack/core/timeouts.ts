/** Timeouts (ms), after which the bot goes on without the data; shorter than Slack's 3 s for an answer. */
export interface Timeouts {
  /** The timeout of a call for which a person waits. A refusal in time is better than a late answer. */
  readonly call: number;
  /** The timeout of any answer, after which Bolt gives an empty one. */
  readonly request: number;
  /** The time limit (ms) from a request of Slack until the bot has answered it. */
  readonly answer: number;
  /** The timeout of Slack's answer about a new person. The store has its own time after that. */
  readonly newcomer: number;
  readonly storing: number;
  /** The timeout of a modal's content, after which a modal that says "loading" opens instead. */
  readonly view: number;
  /** The timeout of the Home tab's content, after which the tab says that it takes longer. */
  readonly home: number;
  /** The timeout of finding the team of a day's message, after which the form opens without the team. */
  readonly team: number;
  /** The timeout of finding all names mentioned in a command, a typed message or a message shortcut. */
  readonly names: {readonly command: number; readonly typed: number; readonly shortcut: number};
  /** The timeout of Slack's answer about one mentioned person, or about a member who changes something. */
  readonly profile: number;
  /** The timeout of finding a person's language, after which the installation's language is used. */
  readonly language: number;
  /** The timeout of checking whether a request has been handled already. */
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
  language: 300,
  signature: 400,
};
