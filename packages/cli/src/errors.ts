import type {Schema} from '../../client-ts/src/schema.js';

/** The exit codes, which docs/command.md promises. */
export const exitCodes = {
  refused: 1,
  usage: 2,
  notFound: 3,
  signIn: 4,
  forbidden: 5,
  unreachable: 6,
  changed: 7,
  interrupted: 130,
} as const;

export type Reason = keyof typeof exitCodes;

/** An error for the user: one or a few sentences, printed on stderr. */
export class CommandError extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const reasonsByStatus: Readonly<Record<number, Reason>> = {
  401: 'signIn',
  403: 'forbidden',
  404: 'notFound',
  412: 'changed',
};

/** Makes an error from a refusal of the API. */
export function createRefusal(problem: Schema<'Problem'>): CommandError {
  const {status, code, detail, errors = []} = problem;
  const reason = reasonsByStatus[status] ?? 'refused';
  if (reason === 'signIn') return new CommandError(reason, 'Your sign-in has ended. Run `standup login`.');
  if (code === 'insufficient_scope') return new CommandError(reason, `Your token may not do this. ${detail}`);
  const details = errors.map((one) => {
    const where = one.pointer?.replace(/^#\//, '') ?? one.parameter ?? one.header;
    return where === undefined || where === '' ? one.detail : `${where}: ${one.detail}`;
  });
  return new CommandError(reason, [detail, ...details.filter((one) => one !== detail)].join('\n'));
}
