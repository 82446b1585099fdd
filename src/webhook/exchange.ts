import type {Dispatcher} from 'undici';
import type {SendErrorClass, SendResult} from '../domain/webhooks/attempt.js';
import {processBounds} from '../domain/core/limits.js';
import {maxRetryAfterMs} from '../domain/webhooks/retry.js';
import type {CarriedRequest, Connection, ConnectionClient} from './connection.js';
import {selectStoredHeaders} from './response-headers.js';
import {classifySendError} from './send-error.js';

type Mutable<T> = {-readonly [K in keyof T]: T[K]};
type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

const excerptBytes = 1024;
const failureExcerptBytes = 4096;
const givenUp = new Error('The request was given up.');

export interface ExchangeOptions {
  /** The number of bytes after which an answer is no longer read and the connection is closed. */
  readonly maxResponseBytes: number;
  /** Returns Unix milliseconds, for a `Retry-After` that is a date. */
  readonly wallClock: () => number;
  /** Called right before the request is written. If it returns false, the request is given up. */
  readonly maySend?: (() => boolean) | undefined;
  /** Sends the request again on a new connection. */
  readonly sendFresh: (exchange: Exchange) => void;
}

/**
 * One request and its answer. It is a class because undici calls it for each part, and an object is cheaper
 * than closures. It ends only once; later reports of undici are ignored, and a request that was not written
 * by then is never written.
 */
export class Exchange implements Dispatcher.DispatchHandler, CarriedRequest {
  line: ConnectionClient | undefined;
  private readonly startedAt = performance.now();
  private controller: Dispatcher.DispatchController | undefined;
  private connection: Connection | undefined;
  private connectedAt: number | undefined;
  private answeredAt: number | undefined;
  private status: number | undefined;
  private headers: ResponseHeaders | undefined;
  private retryAfterMs: number | undefined;
  private directive: SendResult['directive'];
  private body: Buffer | undefined;
  private bodyBytes = 0;
  private bodyPieces = 0;
  /** True if this request waited for its connection to be opened. */
  private opened = false;
  /** True if a reused connection has ended before the answer began, so that a new one is tried. */
  private triedAgain = false;
  private isFinished = false;

  private readonly options: ExchangeOptions;
  private readonly onResult: (result: SendResult) => void;

  constructor(options: ExchangeOptions, onResult: (result: SendResult) => void) {
    this.options = options;
    this.onResult = onResult;
  }

  /** Ends the request with this error, and closes the connection, unless it has already ended. */
  giveUp(error: SendErrorClass): void {
    if (this.isFinished) return;
    this.finish(error);
    if (this.controller !== undefined) dropConnection(this.controller);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (!this.isFinished && this.options.maySend?.() === false) this.finish('aborted');
    if (this.isFinished) {
      // The request was given up while it waited for a connection. It must not be sent, because it already
      // counts as failed.
      dropConnection(controller);
      return;
    }
    this.controller = controller;
    this.connectedAt = performance.now();
    // The client may now open another connection; this request keeps its own.
    this.connection = this.line?.connection;
    if (this.connection !== undefined) {
      this.opened = this.connection.requests === 0;
      this.connection.requests += 1;
      this.connection.answer = 'awaited';
    }
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (this.isFinished) return;
    this.answeredAt = performance.now();
    this.status = status;
    this.headers = headers;
    const retryAfter = headers['retry-after'];
    if (retryAfter !== undefined)
      this.retryAfterMs = parseRetryAfter(readFirstValue(retryAfter), this.options.wallClock);
    const directive = headers['webhook-delivery'];
    if (directive !== undefined) this.directive = parseDirective(readFirstValue(directive));
    if (hasNoBody(status) && hasAnnouncedBody(headers)) {
      // The headers announce a body, but this status never has one: undici would wait for the body. Later
      // bytes are ignored.
      this.finish(undefined);
      dropConnection(controller);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isFinished) return;
    if (this.bodyBytes < failureExcerptBytes) {
      const part = chunk.subarray(0, failureExcerptBytes - this.bodyBytes);
      this.body = this.body === undefined ? part : Buffer.concat([this.body, part]);
    }
    this.bodyBytes += chunk.length;
    this.bodyPieces += 1;
    if (this.bodyBytes > this.options.maxResponseBytes || this.bodyPieces >= processBounds.answerPieces) {
      // The status is known, and the rest of the answer is not needed.
      this.finish(undefined);
      dropConnection(controller);
    }
  }

  onResponseEnd(): void {
    if (!this.isFinished) this.finish(undefined);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.isFinished) return;
    const failed = classifySendError(error, this.status !== undefined);
    if (failed === 'reset' && this.isOurReuse()) this.tryAgain();
    else this.finish(failed);
  }

  /**
   * True if a receiver may have closed a reused connection at the moment when our request was sent. RFC 9110
   * §9.2.2 then allows a safe repeat: receivers recognise an event by its `webhook-id`.
   */
  private isOurReuse(): boolean {
    const connection = this.connection ?? this.line?.connection;
    if (this.triedAgain || connection?.readyAt === undefined) return false;
    const isUnanswered = this.connection === undefined || connection.answer === 'awaited';
    return isUnanswered && (!this.opened || connection.readyAt < this.startedAt);
  }

  /** Tries again within the time limit of the first try. */
  private tryAgain(): void {
    this.triedAgain = true;
    this.controller = undefined;
    this.connection = undefined;
    this.connectedAt = undefined;
    this.options.sendFresh(this);
  }

  private finish(error: SendErrorClass | undefined): void {
    this.isFinished = true;
    const {startedAt, connectedAt, answeredAt, status, headers, retryAfterMs, directive} = this;
    const excerpt = this.excerpt(error !== undefined || status === undefined || status < 200 || status > 299);
    this.body = undefined;
    this.headers = undefined;
    // Fields are added one by one, because a spread costs more than everything else here.
    const result: Mutable<SendResult> = {durationMs: performance.now() - startedAt};
    if (status !== undefined) result.status = status;
    if (error !== undefined) result.error = error;
    this.addConnectionFacts(result);
    if (connectedAt !== undefined) result.connectMs = connectedAt - startedAt;
    if (answeredAt !== undefined) result.firstByteMs = answeredAt - startedAt;
    if (retryAfterMs !== undefined) result.retryAfterMs = retryAfterMs;
    if (directive !== undefined) result.directive = directive;
    if (headers !== undefined) result.responseHeaders = selectStoredHeaders(headers);
    if (excerpt !== undefined) result.responseExcerpt = excerpt;
    this.onResult(result);
  }

  /** Adds facts about the connection that carried the request, or about the one that was being opened. */
  private addConnectionFacts(result: Mutable<SendResult>): void {
    const connection = this.connection ?? this.line?.connection;
    if (connection === undefined) return;
    const {startedAt, resolvedAt, connectedAt, securedAt, remoteAddress} = connection;
    if (remoteAddress !== undefined) result.remoteAddress = remoteAddress;
    if (this.connectedAt !== undefined && !this.opened) return;
    if (resolvedAt !== undefined) result.dnsMs = resolvedAt - startedAt;
    if (connectedAt === undefined) return;
    if (resolvedAt !== undefined) result.tcpMs = connectedAt - resolvedAt;
    if (securedAt !== undefined) result.tlsMs = securedAt - connectedAt;
  }

  private excerpt(failed: boolean): string | undefined {
    const {body} = this;
    if (body === undefined || body.length === 0) return undefined;
    const limit = failed ? failureExcerptBytes : excerptBytes;
    return createExcerpt(body, limit, this.bodyBytes > limit);
  }
}

/** True for a status that never has a body, whatever its headers say (RFC 9112 §6.3). */
function hasNoBody(status: number): boolean {
  return status === 204 || status === 304;
}

function hasAnnouncedBody(headers: ResponseHeaders): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/**
 * Closes a connection without a stack trace. The errors of undici are never read, but their traces are half
 * the cost of a time-out when hundreds of receivers do not answer.
 */
function dropConnection(controller: Dispatcher.DispatchController): void {
  const {stackTraceLimit} = Error;
  Error.stackTraceLimit = 0;
  try {
    controller.abort(givenUp);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Returns the start of a body as text, at most `limit` bytes. `cut`: true if the body is longer. */
function createExcerpt(body: Buffer, limit: number, cut: boolean): string {
  const decoded = body.toString('utf8', 0, limit);
  // A character that was cut in two is decoded as the replacement character.
  const text = cut ? decoded.replace(/\uFFFD$/, '') : decoded;
  // The replacement character is longer than the byte that it replaces, so a binary body would become three
  // times as long.
  return Buffer.byteLength(text) > limit ? createExcerpt(Buffer.from(text), limit, true) : text;
}

function readFirstValue(value: string | string[]): string {
  return typeof value === 'string' ? value : (value[0] ?? '');
}

function parseDirective(value: string): SendResult['directive'] {
  const directive = value.trim().toLowerCase();
  return directive === 'disable' || directive === 'abort' ? directive : undefined;
}

/** Parses `Retry-After` (RFC 9110 §10.2.3): seconds or a date. Anything else counts as absent. */
function parseRetryAfter(value: string, wallClock: () => number): number | undefined {
  const text = value.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxRetryAfterMs);
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - wallClock()), maxRetryAfterMs);
}
