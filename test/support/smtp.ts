import type {AddressInfo} from 'node:net';
import {SMTPServer, type SMTPServerSession} from 'smtp-server';
import {testCertificate} from '../webhook/certificate.js';

/** The steps of a dialogue. `data`: before the end of the message. `end`: after the end, before the reply. */
export const smtpSteps = ['connect', 'login', 'sender', 'recipient', 'data', 'end'] as const;
export type SmtpStepName = (typeof smtpSteps)[number];

/** The server's act at a step. `lost`: at `end`, it dies without having kept the mail. */
export type SmtpAct = {readonly code: number; readonly text?: string} | 'hang' | 'die' | 'lost';

export interface ReceivedMail {
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly raw: string;
  readonly isEncrypted: boolean;
}

export interface TestSmtp {
  readonly port: number;
  readonly url: string;
  /** The messages that the server keeps, in order. */
  readonly mails: readonly ReceivedMail[];
  /** The steps that have begun, in order. */
  readonly steps: readonly SmtpStepName[];
  /** Decides what happens at each step; undefined accepts. */
  behave(decide: (step: SmtpStepName, to: string) => SmtpAct | undefined): void;
  /** The number of dialogues in progress. */
  readonly connections: () => number;
  close(): Promise<void>;
}

export const smtpLogin = {user: 'standup', password: 'p@ss word'};

/** Starts a real SMTP server. `slowMs`: the time before each reply. */
export async function startSmtp(
  options: {
    readonly port?: number;
    readonly tls?: 'starttls' | 'implicit' | 'none';
    readonly login?: boolean;
    readonly slowMs?: number;
  } = {},
): Promise<TestSmtp> {
  const {tls = 'none', login = false, slowMs = 0} = options;
  const mails: ReceivedMail[] = [];
  const steps: SmtpStepName[] = [];
  let decide: Parameters<TestSmtp['behave']>[0] = () => undefined;

  function kill({id}: SMTPServerSession): void {
    for (const connection of server.connections)
      if (connection.session.id === id) connection._socket.destroy();
  }

  /** Does what was decided for a step. `proceed` accepts or refuses it. */
  function reach(
    step: SmtpStepName,
    session: SMTPServerSession,
    proceed: (error?: Error) => void,
    act = decide(step, session.envelope.rcptTo[0]?.address ?? ''),
  ): void {
    steps.push(step);
    setTimeout(() => {
      if (act === undefined) proceed();
      else if (act === 'die' || act === 'lost') kill(session);
      else if (act !== 'hang')
        proceed(Object.assign(new Error(act.text ?? 'not now'), {responseCode: act.code}));
    }, slowMs);
  }

  const server = new SMTPServer({
    ...testCertificate,
    secure: tls === 'implicit',
    authOptional: !login,
    disabledCommands: [...(tls === 'starttls' ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onConnect: (session, done) => reach('connect', session, done),
    onAuth({username, password}, session, done) {
      const isRight = username === smtpLogin.user && password === smtpLogin.password;
      reach('login', session, (error) => {
        if (error === undefined && isRight) done(null, {user: username});
        else done(error ?? Object.assign(new Error('who are you?'), {responseCode: 535}));
      });
    },
    onMailFrom: (_, session, done) => reach('sender', session, done),
    onRcptTo: ({address}, session, done) => reach('recipient', session, done, decide('recipient', address)),
    onData(stream, session, done) {
      const {rcptTo, mailFrom} = session.envelope;
      const to = rcptTo[0]?.address ?? '';
      steps.push('data');
      const early = decide('data', to);
      if (early === 'die') return kill(session);
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        const keep = (): void => {
          const [, messageId = ''] = /^Message-ID: (\S+)/m.exec(raw) ?? [];
          const from = mailFrom === false ? '' : mailFrom.address;
          mails.push({messageId, from, to, raw, isEncrypted: session.secure});
        };
        const act = decide('end', to);
        if (act === 'hang' || act === 'die') keep();
        const proceed = (error?: Error): void => {
          if (error === undefined) keep();
          done(error);
        };
        reach('end', session, proceed, act);
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const {port} = server.server.address() as AddressInfo;
  const {user, password} = smtpLogin;
  const account = login ? `${user}:${encodeURIComponent(password)}@` : '';
  return {
    port,
    url: `${tls === 'implicit' ? 'smtps' : 'smtp'}://${account}127.0.0.1:${port}${tls === 'none' ? '?tls=off' : ''}`,
    mails,
    steps,
    behave: (next) => (decide = next),
    connections: () => server.connections.size,
    close: () =>
      new Promise((resolve) => {
        for (const {_socket: socket} of server.connections) socket.destroy();
        server.close(resolve);
      }),
  };
}
