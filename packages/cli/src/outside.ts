// packages/cli/: the command `standup` for people. It uses the API over HTTP, with a token.
// Not here: the command of the operator (src/cli), which uses the store.

/** The parts of the machine that the command uses. Tests give their own. */
export interface Outside {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory. */
  readonly cwd: string;
  /** The home directory of the user. */
  readonly home: string;
  readonly hostname: string;
  /** The version of the command. */
  readonly version: string;
  /** The id of the user. Undefined where files have no owner and no mode, as on Windows. */
  readonly uid: number | undefined;
  /** Whether a person can be asked: stdin and stdout are a terminal. */
  readonly isInteractive: boolean;
  /** Writes to stdout. */
  readonly print: (text: string) => void;
  /** Writes to stderr. */
  readonly warn: (text: string) => void;
  /** Returns what was piped in; undefined if stdin is a terminal. */
  readonly readInput: () => Promise<string | undefined>;
  /** The lines of stdin, as they come. */
  readonly readLines: () => AsyncIterable<string>;
  /** Asks the user. `isSecret`: what they type is not shown. Empty if they end the input. */
  readonly ask: (question: string, options?: {readonly isSecret?: boolean}) => Promise<string>;
  /** Replaces the line of progress on a terminal; an empty text removes it. */
  readonly showProgress: (text: string) => void;
  /** Sets the sentence that is printed if the user interrupts the command. */
  readonly sayIfInterrupted: (text: string) => void;
  readonly emphasize: (text: string, how: 'bold' | 'dim' | 'red' | 'green' | 'yellow') => string;
  readonly send: (request: Request) => Promise<Response>;
  readonly now: () => number;
  readonly createId: () => string;
  readonly sleep: (ms: number) => Promise<void>;
  readonly run: (program: string, args: readonly string[], options: RunOptions) => Promise<RunResult>;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The program gets the terminal, as an editor needs. Otherwise its output is returned. */
  readonly inTerminal?: boolean;
  /** The command does not wait for the end of the program, and shows no output of it. */
  readonly inBackground?: boolean;
}

export interface RunResult {
  /** 127 if the program cannot be started. */
  readonly code: number;
  readonly stdout: string;
}
