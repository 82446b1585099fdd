import type {Schema} from './schema.ts';

/** A refusal of the service as RFC 9457 says it, or that there was no answer at all (`status` 0). */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly requestId: string | undefined;
  /** Errors about a member of the body are said as its field says them. */
  readonly errors: NonNullable<Schema<'Problem'>['errors']>;
  /**
   * The instant, in ms of this clock, from when on it is worth another try; undefined when nothing says so.
   */
  readonly retryAt: number | undefined;

  constructor(said: ProblemSaid, options?: ErrorOptions) {
    super(said.detail, options);
    this.status = said.status;
    this.code = said.code;
    this.title = said.title;
    this.requestId = said.requestId;
    this.errors = (said.errors ?? []).map(atField);
    this.retryAt = said.retryAt;
  }
}

interface ProblemSaid {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId?: string | undefined;
  readonly errors?: Schema<'Problem'>['errors'] | undefined;
  readonly retryAt?: number | undefined;
}

/** Beside its field an error needs no name, and that of the API is not on the screen. */
function atField<E extends {readonly pointer?: string; readonly detail: string}>(error: E): E {
  if (error.pointer === undefined) return error;
  const detail = error.detail.replace(/^`[^`]+` (.)/su, (_, first: string) => first.toUpperCase());
  return {...error, detail};
}

/** There was no answer: no network, or a service that is away. */
export const noAnswer = 'no_answer';

export async function problemOf(response: Response): Promise<Problem> {
  const said = await readProblem(response);
  return new Problem({
    status: response.status,
    code: said.code ?? `http_${response.status}`,
    title: said.title ?? response.statusText,
    detail: said.detail ?? `The service answered ${response.status}.`,
    requestId: said.request_id ?? response.headers.get('x-request-id') ?? undefined,
    errors: said.errors,
    retryAt: retryAtOf(response),
  });
}

export function retryAtOf(response: Response): number | undefined {
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
