// Sends the due mails of one workspace, in time slices of work. Each mail is
// 1. claimed: this process holds a lease, and extends it while the mail server works;
// 2. composed. A mail that no one wants any more, or that is too late, is dropped;
// 3. sent to the server, except for its end;
// 4. marked in the store: from now on the server may have it, so no other process sends it again;
// 5. ended. The reply of the server decides;
// 6. recorded. After a crash between 4 and 6 no one knows whether it was sent: it becomes uncertain.
import {setTimeout as pause} from 'node:timers/promises';
import {noSliceSpan, runInSpan, type Span, type SliceSpan} from '../domain/core/tracer.js';
import type {Slice} from '../domain/core/work.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';
import type {Log} from '../domain/core/log.js';
import type {ClaimedMail, MailOutcome} from '../domain/mail/mail.js';
import {
  computeMailDelay,
  computeMailRest,
  longestMailDelayMs,
  longestMailRestMs,
} from '../domain/mail/mail-retry.js';
import type {SendMail, SendResult} from '../domain/mail/mail-transport.js';
import type {Store} from '../store/store.js';
import {callDeadline, createSystemCall, type JobContext} from './context.js';

type SendMailWork = {readonly kind: 'send-mail'};

/** The time (ms) for which a process may work on a mail without extending it. */
const standardMailLeaseMs = 60_000;
/** The time (ms) in which a result is recorded again and again while the store does not answer. */
const recordWithinMs = 30_000;
const recordAgainMs = 1_000;
/** The time (ms) until a mail that cannot be dropped now is looked at again. */
const dropAgainMs = 60_000;

/** The result without a mail server: mails that were queued earlier wait for one. */
const sendNothing: SendMail = async () => ({
  stage: 'installation',
  step: 'connect',
  detail: 'mail is off: set SMTP_URL and MAIL_FROM',
});

export function createMailPerformer({store, services, mail: transport, ...context}: JobContext) {
  const {mails, clock} = store;
  const {failpoint, meter, tracer, log, holder: worker, mailLeaseMs: leaseMs = standardMailLeaseMs} = context;
  const rest = createRest(clock, log);
  let claims = 0;

  async function performSlice({workspace, until, signal, span = noSliceSpan}: Slice<SendMailWork>) {
    while (!rest.isResting() && !signal.aborted) {
      // Each claim has a holder of its own, since this process may claim a mail again after it lost the lease.
      const holder = `${worker}.${(claims += 1)}`;
      const claim = await mails.claim(workspace, holder, leaseMs, callDeadline());
      if (claim.kind === 'idle') return {more: false};
      if (claim.kind === 'claimed') await handleMail(workspace, claim.mail, signal, span);
      else await reportUncertainMail(workspace, claim.suffix);
      if (performance.now() >= until) return {more: true};
    }
    return {more: false};
  }

  async function reportUncertainMail(workspace: Id<'workspace'>, suffix: IdSuffix<'mail'>): Promise<void> {
    log.warn({workspace, mail: suffix}, 'a mail may have been sent: its worker died');
    const mail = await mails.find(workspace, suffix, callDeadline());
    if (mail !== undefined) meter.countMail(mail.fact.kind, 'uncertain');
  }

  async function handleMail(
    workspace: Id<'workspace'>,
    mail: ClaimedMail,
    signal: AbortSignal,
    span: SliceSpan,
  ): Promise<void> {
    span.link(mail.trace);
    const record = (outcome: MailOutcome) => recordOutcome(workspace, mail, outcome, signal, span);
    const {code, detail = 'It could not be sent in time.'} = mail;
    if (mail.until <= clock.now()) return record({result: drop(), code, detail});
    const composed = await services.mails.compose(createSystemCall(workspace, span), mail, mail.encrypted);
    if (composed === undefined) return record({result: drop()});
    const {notBefore = 0} = composed;
    // A later time would count as noted before the clock was set back, so the mail would be due at once.
    const wait = Math.min(notBefore - clock.now(), longestMailDelayMs);
    if (wait > 0) return record({result: {next: wait, counted: false}});
    if (transport?.mode === 'kept') {
      log.info({}, `Mail to ${mail.to}: ${transport.describe(composed)}`);
      return record({result: 'kept'});
    }
    const renewal = setInterval(() => {
      mails.renew(workspace, mail, leaseMs, callDeadline()).catch(() => undefined);
    }, leaseMs / 3);
    try {
      const begunAt = clock.now();
      const send = () =>
        (transport?.send ?? sendNothing)({
          ...mail,
          composed,
          signal,
          beforeEnd: () => mails.mark(workspace, mail, leaseMs, callDeadline()).catch(() => false),
        });
      const result = await runInSpan(startMailSpan(workspace, mail, span), send, ({stage, code}) => ({
        attributes: {'smtp.response.status_code': code},
        failure: stage === 'accepted' ? undefined : stage,
      }));
      failpoint('mail-answered');
      await record(judgeResult(mail, result, rest.note(result, begunAt)));
    } finally {
      clearInterval(renewal);
    }
  }

  /** Starts the span of an attempt. Neither the address nor the reply of the server is told, only its code. */
  function startMailSpan(
    workspace: Id<'workspace'>,
    {fact, trace, attempts}: ClaimedMail,
    span: SliceSpan,
  ): Span {
    return tracer.start('send mail', {
      kind: 'client',
      parent: span.context(),
      links: trace === undefined ? [] : [trace],
      attributes: {
        'standup.workspace': workspace,
        'standup.mail': fact.kind,
        'standup.attempt': attempts + 1,
      },
    });
  }

  /** Drops a mail, but not while the clock may be wrong. */
  function drop(): MailOutcome['result'] {
    return clock.isSteady() ? 'dropped' : {next: dropAgainMs, counted: false};
  }

  function judgeResult(mail: ClaimedMail, {stage, code, detail}: SendResult, restMs: number): MailOutcome {
    switch (stage) {
      case 'accepted':
        return {result: 'sent', code, detail};
      case 'address_refused':
        return {result: 'failed', code, detail, addressRefused: true};
      case 'message_refused':
        return {result: 'failed', code, detail};
      case 'uncertain':
        return {result: 'uncertain', code, detail};
      case 'try_later': {
        const next = computeMailDelay(mail.fact.kind, mail.attempts);
        const isLast = clock.isSteady() && clock.now() + next > mail.until;
        return {result: isLast ? 'failed' : {next, counted: true}, code, detail};
      }
      case 'installation':
        return {result: {next: restMs, counted: false}, code, detail};
      case 'withheld':
        // If another process has the mail now, this is not recorded.
        return {result: {next: 0, counted: false}};
    }
  }

  /** Records a result. A mail that was sent would become uncertain if the store were asked only once. */
  async function recordOutcome(
    workspace: Id<'workspace'>,
    mail: ClaimedMail,
    outcome: MailOutcome,
    signal: AbortSignal,
    span: SliceSpan,
  ): Promise<void> {
    const givesUpAt = performance.now() + recordWithinMs;
    for (;;) {
      try {
        await services.mails.recordOutcome(createSystemCall(workspace, span), mail, outcome);
        meter.countMail(mail.fact.kind, typeof outcome.result === 'string' ? outcome.result : 'queued');
        return;
      } catch (error) {
        if (signal.aborted || performance.now() >= givesUpAt) throw error;
        await pause(recordAgainMs, undefined, {signal}).catch(() => undefined);
      }
    }
  }

  return performSlice;
}

/** Keeps the time in which this process sends no mail, because the installation cannot send any. */
function createRest({now}: Store['clock'], log: Log) {
  let failures = 0;
  let restsUntil = 0;
  let failedAt = 0;

  /** Returns the rest that is left (ms). A clock that was set back does not lengthen it, but ends it. */
  function computeLeft(): number {
    const left = restsUntil - now();
    return left > longestMailRestMs ? 0 : Math.max(0, left);
  }

  return {
    isResting: () => computeLeft() > 0,
    /** Notes the result of an attempt. Returns for how long the mails rest now (ms). */
    note({stage, step, code, detail}: SendResult, begunAt: number): number {
      if (stage === 'installation') {
        // Attempts that were made at the same time fail for one reason.
        if (begunAt < failedAt && computeLeft() > 0) return computeLeft();
        failures += 1;
        failedAt = now();
        const ms = computeMailRest(failures);
        restsUntil = failedAt + ms;
        const fields = {step, code, reason: detail, againInS: ms / 1_000};
        if (failures === 1) log.warn(fields, 'no mail can be sent; all mails wait');
        else log.debug(fields, 'no mail can be sent; all mails wait');
        return ms;
      }
      // Only a reply shows that the server is there.
      if (code !== undefined && failures > 0) {
        failures = 0;
        log.info({}, 'mails are sent again');
      }
      return 0;
    },
  };
}
