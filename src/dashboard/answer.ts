import type {IncomingMessage} from 'node:http';
import type {VerifiedSession} from '../service/tokens/sessions.js';

export type DashboardRequest = IncomingMessage & {
  readonly originalUrl?: string;
  /** The client's address, as reported by trusted proxies. */
  readonly ip?: string | undefined;
};

/** An answer to a request below `/app`, other than a file of the dashboard. */
export interface DashboardAnswer {
  readonly operation: string;
  readonly status: 200 | 201 | 202 | 204 | 303;
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
