// Signing in by a code: `POST /app/session/code` mails one, and `POST /app/session` takes it. Without an
// address, the code is for the person who is signed in, who confirms that it is them.
import {deadlines, limits} from '../domain/core/limits.js';
import {isEmailAddress} from '../domain/core/text.js';
import {type CodeSubject, createCodeExpiredError} from '../domain/tokens/sign-in-code.js';
import {requireWayIn, SignInRefused} from '../domain/tokens/sign-in.js';
import type {BrowserRequest, DashboardAnswer, SignInWay} from './answer.js';
import {createBodyError, readFields} from './body.js';
import type {BrowserSessions} from './browser-sessions.js';
import type {DashboardContext} from './context.js';

/** The maximum length of a typed code, with spaces and hyphens. */
const maxTyped = 40;

export function createCodeWay(
  {sessions, codes, waysIn, readJson, countAskedCode}: DashboardContext,
  {withSlot, describeBrowser, presentSession}: BrowserSessions,
): SignInWay {
  /** Returns the person that a code is for: the one in the body, or the one who is signed in. */
  async function findSubject(body: unknown, signInRequest: BrowserRequest): Promise<CodeSubject> {
    const named = readCodeSubject(body);
    if (named !== undefined) return named;
    const session = await sessions.requireSession(signInRequest.cookie, signInRequest);
    return codes.findOwnSubject(session, signInRequest);
  }

  return {
    read(body) {
      const {code: given} = readFields(body);
      if (given === undefined) return undefined;
      requireWayIn(waysIn, 'mail');
      return async (request, signInRequest) => {
        const subject = await findSubject(body, signInRequest);
        const proven = await codes.take(subject, readCode(given), signInRequest);
        return withSlot(proven.workspace, signInRequest, async () => {
          const asked = await describeBrowser(request, signInRequest);
          const made = await sessions
            .signInMember({...proven, confirmed: true}, asked, signInRequest)
            .catch((error: unknown) => {
              // The member was changed or removed while the code was being used.
              throw error instanceof SignInRefused ? createCodeExpiredError() : error;
            });
          return {
            ...presentSession('signInByCode', proven.workspace, made),
            after: () => codes.proveAddress(proven, subject.email, performance.now() + deadlines.request),
          };
        });
      };
    },
    handlers: {
      '/app/session/code': {
        async POST(request, signInRequest) {
          requireWayIn(waysIn, 'mail');
          const subject = await findSubject(await readJson(request), signInRequest);
          // A member who confirms has a quota of their own, which no one else in their network uses up.
          const isOwn = subject.confirms !== undefined;
          const tooMany = isOwn ? undefined : await countAskedCode(request.ip, signInRequest.deadline);
          if (tooMany !== undefined) throw tooMany;
          return answerThenMail('askForCode', await codes.ask(subject, signInRequest));
        },
      },
    },
  };
}

/** Answers before a code is mailed, so that the time of the answer tells nothing. */
export function answerThenMail(
  operation: string,
  mail: (deadline: number) => Promise<void>,
): DashboardAnswer {
  return {operation, status: 202, after: () => mail(performance.now() + deadlines.job)};
}

/** Reads the person that a code is for. Errors: `validation_failed`. */
export function readCodeSubject(body: unknown): CodeSubject | undefined {
  const {email, workspace = ''} = readFields(body);
  if (email === undefined) return undefined;
  if (typeof email !== 'string' || !isEmailAddress(email.trim()))
    throw createBodyError('email', 'must be an email address');
  // A name with other characters would be that of a code to join (`createJoinSubject`).
  if (typeof workspace !== 'string' || workspace.length > limits.slug || !/^\s*[\w-]*\s*$/.test(workspace))
    throw createBodyError('workspace', 'must be the slug or id of a workspace');
  return {email: email.trim(), workspace: workspace.trim()};
}

export function readCode(code: unknown): string {
  if (typeof code === 'string' && code.length <= maxTyped) return code;
  throw createBodyError('code', 'must be the code in the mail');
}
