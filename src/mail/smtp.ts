import {Readable} from 'node:stream';
import SMTPConnection, {
  type SMTPConnectionOptions,
  type SMTPError as SmtpError,
} from 'nodemailer/lib/smtp-connection';
import type {SendResult, SmtpStep} from '../domain/mail/mail-transport.js';

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls' | 'if_offered' | 'off';
  readonly login?: {readonly user: string; readonly password: string} | undefined;
}

export interface SmtpMail {
  readonly from: string;
  /** One address in ASCII. */
  readonly to: string;
  readonly message: Buffer;
  /** Parts of the message that its result must not repeat: filters quote what they refuse. */
  readonly secrets?: readonly string[];
  readonly beforeEnd: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** The time limits (ms) of a dialogue. RFC 5321 4.5.3.2.6: a server may check a whole message for 10 minutes. */
const standardLimits = {
  connect: 10_000,
  idle: 60_000,
  lastReply: 600_000,
  whole: 900_000,
  close: 1_000,
  stop: 5_000,
};
/** The number of bytes that a server may send in a dialogue: many times what servers say. */
const mostBytes = 100_000;
const detailLength = 200;

/** Creates a client that opens one connection for each mail. */
export function createSmtp(server: SmtpSettings, limits: Partial<typeof standardLimits> = {}) {
  const times = {...standardLimits, ...limits};
  const {host, port, security, login} = server;
  const options: SMTPConnectionOptions = {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'off',
    connectionTimeout: times.connect,
    greetingTimeout: times.connect,
    dnsTimeout: times.connect,
    socketTimeout: times.idle,
    socketCloseTimeout: times.close,
  };

  /** Connects and logs in. Returns the step that failed; undefined if all is well. */
  async function logIn(connection: SMTPConnection): Promise<SendResult | undefined> {
    let step: SmtpStep = 'connect';
    try {
      await runStep(connection, (done) => connection.connect(done));
      if (login === undefined) return undefined;
      step = 'log in';
      const auth = {user: login.user, pass: login.password};
      await runStep(connection, (done) => connection.login(auth, done));
      return undefined;
    } catch (error) {
      const failure = error as SmtpError;
      if (step === 'connect' && isTlsFailure(connection, failure)) step = 'encrypt';
      return {stage: 'installation', step, ...describe(failure)};
    }
  }

  /** Describes an error without the password and the secrets of the message, which a reply may repeat. */
  function describe(
    {responseCode, response, message}: SmtpError,
    secrets: readonly string[] = [],
  ): Pick<SendResult, 'code' | 'detail'> {
    const code = responseCode || undefined;
    const said = (code !== undefined && response) || message;
    return {code, detail: shorten(hide(said, [...secrets, ...(login ? listLoginSecrets(login) : [])]))};
  }

  function open(): SMTPConnection {
    const connection = new SMTPConnection(options);
    // Without a listener, an error after the end of a step would end the process.
    connection.on('error', () => undefined);
    // A server that always has a little more to say is left, too.
    const end = setTimeout(() => connection.close(), times.whole);
    connection.once('end', () => clearTimeout(end));
    limitReplies(connection);
    return connection;
  }

  /** Sends the envelope and the message. Rejects with the reply of the server, or without one. */
  async function hand(connection: SMTPConnection, mail: SmtpMail, state: MailState): Promise<string> {
    const {from, to, message, beforeEnd} = mail;
    let isBegun = false;
    // With this mark the stream asks for its end only when the server has asked for the message.
    const stream = new Readable({
      highWaterMark: 1,
      read() {
        if (!isBegun) {
          isBegun = true;
          this.push(message);
          return;
        }
        void beforeEnd().then((isAllowed) => {
          state.isWithheld ||= !isAllowed;
          if (state.isWithheld || connection.destroyed) return connection.close();
          state.isComplete = true;
          if (connection._socket) connection._socket.setTimeout(times.lastReply);
          this.push(null);
        });
      },
    });
    const sent = await runStep<{response: string}>(connection, (done) =>
      connection.send({from, to: [to]}, stream, done),
    );
    if (!state.isComplete) throw new Error('the server answered before the end of the message');
    return sent.response;
  }

  /** Judges an attempt that failed after the log-in. */
  function judgeFailure(
    error: SmtpError,
    {secrets}: SmtpMail,
    {isComplete, isWithheld}: MailState,
  ): SendResult {
    const described = describe(error, secrets);
    const {code} = described;
    const isReply = code !== undefined && code >= 400;
    if (!isReply && isComplete) return {stage: 'uncertain', ...described};
    if (isWithheld && !isComplete) return {stage: 'withheld'};
    if (!isReply) return {stage: 'try_later', ...described};
    if (!isComplete && (error.command === 'MAIL FROM' || code === authenticationRequired))
      return {stage: 'installation', step: 'sender', ...described};
    if (code < 500) return {stage: 'try_later', ...described};
    const isOfAddress = error.command === 'RCPT TO' && !refusedByPolicy.test(error.response ?? '');
    return {stage: isOfAddress ? 'address_refused' : 'message_refused', ...described};
  }

  return {
    /** Sends one mail. Every failure is a result. */
    async send(mail: SmtpMail): Promise<SendResult> {
      const {signal} = mail;
      if (signal.aborted) return {stage: 'withheld'};
      const connection = open();
      const state: MailState = {isComplete: false, isWithheld: false};
      const stop = (): void => {
        state.isWithheld = true;
        if (state.isComplete) setTimeout(() => connection.close(), times.stop).unref();
        else connection.close();
      };
      signal.addEventListener('abort', stop, {once: true});
      try {
        const failed = await logIn(connection);
        if (failed !== undefined) return state.isWithheld ? {stage: 'withheld'} : failed;
        const response = await hand(connection, mail, state);
        connection.quit();
        return {
          stage: 'accepted',
          code: Number(response.slice(0, 3)),
          detail: shorten(hide(response, mail.secrets ?? [])),
        };
      } catch (error) {
        return judgeFailure(error as SmtpError, mail, state);
      } finally {
        signal.removeEventListener('abort', stop);
        connection.close();
      }
    },
    /** Connects, logs in and hangs up. Returns the step that failed; undefined if all is well. */
    async check(signal?: AbortSignal): Promise<SendResult | undefined> {
      const connection = open();
      signal?.addEventListener('abort', () => connection.close(), {once: true});
      const failed = await logIn(connection);
      if (failed === undefined) connection.quit();
      connection.close();
      return failed;
    },
  };
}

/** RFC 4954: a server may give this reply to any command. */
const authenticationRequired = 530;

/**
 * RFC 3463: a status 5.7.x is one of security or policy. A server that relays nothing for us says so of every
 * address.
 */
const refusedByPolicy = /^\d{3}[ -]5\.7\./;

interface MailState {
  /** The end of the message is sent, so the server may have accepted it. */
  isComplete: boolean;
  isWithheld: boolean;
}

/** Runs one step of a dialogue. It rejects when the step fails, or when the connection ends. */
function runStep<T = unknown>(
  connection: SMTPConnection,
  begin: (done: (error?: SmtpError | null, result?: T) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    connection.once('error', reject);
    // After a close the callback of a step never comes. If both come, the callback knows more.
    connection.once('end', () => setImmediate(reject, new Error('the connection ended')));
    begin((error, result) => (error ? reject(error) : resolve(result as T)));
  });
}

/** Ends a dialogue with a flood: the library reads empty lines one by one, which keeps the process busy. */
function limitReplies(connection: SMTPConnection): void {
  // Its types leave this method out.
  const receive = Reflect.get(connection, '_onData') as (chunk: Buffer) => void;
  let received = 0;
  const receiveSome = (chunk: Buffer): void => {
    received += chunk.length;
    if (received > mostBytes) connection.close();
    else receive.call(connection, chunk);
  };
  Object.assign(connection, {_onData: receiveSome});
}

function shorten(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').slice(0, detailLength);
}

function isTlsFailure(connection: SMTPConnection, {command, originalCode = ''}: SmtpError): boolean {
  return connection.upgrading === true || command === 'STARTTLS' || /CERT|TLS|SSL|VERIFY/.test(originalCode);
}

function listLoginSecrets({user, password}: NonNullable<SmtpSettings['login']>): string[] {
  const encoded = [`\0${user}\0${password}`, password].map((secret) =>
    Buffer.from(secret).toString('base64'),
  );
  return [...encoded, password];
}

function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, '…'), text);
}
