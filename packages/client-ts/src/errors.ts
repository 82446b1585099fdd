import type {ProblemCode, Schema} from './schema.js';

/** One fault of a request, at the place that `pointer`, `parameter` or `header` names. */
export type FieldError = NonNullable<Schema<'Problem'>['errors']>[number];

/** The service refused a request. Its documents describe each `code` at `/problems`. */
export class ProblemError extends Error {
  /** The HTTP status, such as 422. */
  readonly status: number;
  /** The stable name of the error; `unexpected_answer` if the answer is none of the service. */
  readonly code: ProblemCode;
  /** The cause in one or a few sentences, for people. */
  readonly detail: string;
  /** The faults, each with its place: `#/team`. Empty if the problem names none. */
  readonly errors: readonly FieldError[];
  /** The id of the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** The time (s) after which the service may answer otherwise, if it names one. */
  readonly retryAfter: number | undefined;

  constructor(response: Response, body: unknown) {
    const problem = isProblem(body) ? body : undefined;
    const code = problem?.code ?? 'unexpected_answer';
    const detail = problem?.detail ?? `The answer has the status ${response.status} and is not of the API.`;
    super(`${code}: ${detail}`);
    this.name = 'ProblemError';
    this.status = response.status;
    this.code = code;
    this.detail = detail;
    this.errors = problem?.errors ?? [];
    this.requestId = response.headers.get('x-request-id') ?? problem?.request_id;
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
    this.retryAfter = Number.isFinite(wait) ? wait : undefined;
  }
}

/** The service gave no complete answer, also not to the retries. `cause` is the last error of the network. */
export class NoAnswerError extends Error {
  constructor(address: string, cause: unknown) {
    super(`${address} does not answer.`, {cause});
    this.name = 'NoAnswerError';
  }
}

function isProblem(body: unknown): body is Schema<'Problem'> {
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    typeof body.code === 'string' &&
    'detail' in body &&
    typeof body.detail === 'string'
  );
}
