import type {IncomingMessage} from 'node:http';
import type {SignInRequest, VerifiedSession} from '../service/tokens/sessions.js';

export type DashboardRequest = IncomingMessage & {
  readonly originalUrl?: string;
  /** The client's address, as reported by trusted proxies. */
  readonly ip?: string | undefined;
};

/** An answer to a request below `/app`, other than a file of the dashboard. */
export interface DashboardAnswer {
  readonly operation: string;
  readonly status: 200 | 201 | 202 | 204 | 303 | 400;
  readonly body?: object;
  readonly location?: string;
  readonly cookies?: readonly string[];
  /** The session or sign-in link of the request, for the log. */
  readonly of?: VerifiedSession | undefined;
  /** More fields for the log entry. */
  readonly note?: object;
  /** Work that begins after the answer, so that its duration tells nothing. */
  readonly after?: () => Promise<void>;
  /** An internal error, which the person sees only as a general message. */
  readonly failure?: unknown;
}

/** A request below `/app`, with the cookie of its session and its query (`?…`). */
export interface BrowserRequest extends SignInRequest {
  readonly cookie: string | undefined;
  readonly search: string;
}

/** A function that handles one kind of change. The path and method of the request choose it. */
export type ChangeHandler = (
  request: DashboardRequest,
  signInRequest: BrowserRequest,
) => Promise<DashboardAnswer>;

/** Change handlers by path and method. */
export type ChangeHandlers = Readonly<Record<string, Readonly<Record<string, ChangeHandler>>>>;

/** A way to sign in. `read` returns what signs in with a body of this way; undefined for that of another. */
export interface SignInWay {
  readonly read: (body: unknown) => ChangeHandler | undefined;
  readonly handlers: ChangeHandlers;
}
