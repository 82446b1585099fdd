import type {IncomingMessage} from 'node:http';
import type {VerifiedSession} from '../service/tokens/sessions.js';

export type DashboardRequest = IncomingMessage & {
  readonly originalUrl?: string;
  /** The address of the client, as far as the proxies in front are trusted. */
  readonly ip?: string | undefined;
};

/** An answer of the dashboard's entry point. */
export interface DashboardAnswer {
  readonly operation: string;
  readonly status: 200 | 201 | 204 | 303;
  readonly body?: object;
  readonly location?: string;
  readonly cookies?: readonly string[];
  /** The session or link that it is about, for the log. */
  readonly of?: VerifiedSession | undefined;
  /** Further fields for the log. */
  readonly note?: object;
  /** A bug of ours that the person sees as a message. */
  readonly failure?: unknown;
}
