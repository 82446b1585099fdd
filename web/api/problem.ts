import type {Schema} from './schema.ts';

/** An error of the service as in RFC 9457, or no response at all (`status` 0). */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly requestId: string | undefined;
  /** Validation errors of request fields, worded for display beside the form fields. */
  readonly errors: NonNullable<Schema<'Problem'>['errors']>;
  /** Time (ms, by this device's clock) from which a retry makes sense, if the response gives one. */
  readonly retryAt: number | undefined;
  /** The number of further tries after a wrong code. */
  readonly triesLeft: number | undefined;

  constructor(said: ProblemDetails, options?: ErrorOptions) {
    super(said.detail, options);
    this.status = said.status;
    this.code = said.code;
    this.title = said.title;
    this.requestId = said.requestId;
    this.errors = (said.errors ?? []).map(removeFieldName);
    this.retryAt = said.retryAt;
    this.triesLeft = said.triesLeft;
  }
}

interface ProblemDetails {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId?: string | undefined;
  readonly errors?: Schema<'Problem'>['errors'] | undefined;
  readonly retryAt?: number | undefined;
  readonly triesLeft?: number | undefined;
}

/** Removes the API's name of the field from an error: the form field has its own label. */
function removeFieldName<E extends {readonly pointer?: string; readonly detail: string}>(error: E): E {
  if (error.pointer === undefined) return error;
  const detail = error.detail.replace(/^`[^`]+` (.)/su, (_, first: string) => first.toUpperCase());
  return {...error, detail};
}

/** Error code for no response at all: no network, or the service is unavailable. */
export const noAnswer = 'no_answer';

export async function toProblem(response: Response): Promise<Problem> {
  const said = await readProblem(response);
  return new Problem({
    status: response.status,
    code: said.code ?? `http_${response.status}`,
    title: said.title ?? response.statusText,
    detail: said.detail ?? `The service answered ${response.status}.`,
    requestId: said.request_id ?? response.headers.get('x-request-id') ?? undefined,
    errors: said.errors,
    retryAt: readRetryTime(response),
    triesLeft: said.tries_left,
  });
}

export function readRetryTime(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? Date.now() + seconds * 1_000 : undefined;
}

async function readProblem(response: Response): Promise<Partial<Schema<'Problem'>>> {
  try {
    return (await response.json()) as Partial<Schema<'Problem'>>;
  } catch {
    return {};
  }
}
