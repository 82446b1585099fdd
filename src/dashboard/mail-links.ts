// Links in mails: `POST /app/reminder` and `POST /app/unsubscribe`, for people without a session.
import type {ReminderAct} from '../service/mail/link-actions.js';
import type {ChangeHandler, ChangeHandlers} from './answer.js';
import {createBodyError, readFields} from './body.js';
import type {BrowserSessions} from './browser-sessions.js';
import type {DashboardContext} from './context.js';

/** The minutes for which a link in a mail snoozes. */
const snoozeMinutes = 30;

export function createMailLinkHandlers(
  {mailLinks, readJson}: DashboardContext,
  {withSlot}: BrowserSessions,
): {
  readonly handlers: ChangeHandlers;
  readonly findUnsubscribe: (path: string) => ChangeHandler | undefined;
} {
  return {
    handlers: {
      '/app/reminder': {
        async POST(request, signInRequest) {
          const {token, act} = readReminderRequest(await readJson(request));
          const proven = await mailLinks.requireReminder(token, signInRequest);
          return withSlot(proven.workspace, signInRequest, async () => {
            const body =
              act === undefined
                ? await mailLinks.lookAtDay(proven, signInRequest)
                : await mailLinks.actOnDay(proven, act, signInRequest);
            return {operation: 'followReminder', status: 200, body};
          });
        },
      },
      '/app/unsubscribe': {
        async POST(request, signInRequest) {
          const token = readToken(readFields(await readJson(request)));
          const proven = await mailLinks.requireSubscription(token, signInRequest);
          return {operation: 'lookAtSubscription', status: 200, body: mailLinks.lookAtSubscription(proven)};
        },
      },
    },
    /** Returns what ends the mails of a link, without reading anything else of the request. */
    findUnsubscribe(path) {
      const token = unsubscribePath.exec(path)?.[1];
      if (token === undefined) return undefined;
      return async (_, signInRequest) => {
        const proven = await mailLinks.requireSubscription(token, signInRequest);
        await withSlot(proven.workspace, signInRequest, () => mailLinks.unsubscribe(proven, signInRequest));
        return {operation: 'unsubscribe', status: 200, body: {}};
      };
    },
  };
}

/** Reads a request about a day's reminder; without an act, it only looks. Errors: `validation_failed`. */
function readReminderRequest(body: unknown): {token: string; act?: ReminderAct} {
  const given = readFields(body);
  const {look = false, snooze, skip} = given;
  const token = readToken(given);
  if (look === true) return {token};
  if (skip === true && snooze === undefined) return {token, act: {skip}};
  if (snooze === snoozeMinutes && skip === undefined) return {token, act: {snooze}};
  throw createBodyError('snooze', `must be ${snoozeMinutes}; or give \`skip\`: true, or \`look\`: true`);
}

/** The mails that `POST` to such a path ends with one click, as mail clients do (RFC 8058). */
const unsubscribePath = /^\/app\/unsubscribe\/([\w-]{1,1000})$/;

/** Returns the address of the page that asks before it unsubscribes; undefined for other paths. */
export function findUnsubscribePage(path: string): string | undefined {
  const token = unsubscribePath.exec(path)?.[1];
  return token === undefined ? undefined : `/app/reminder#stop.${token}`;
}

function readToken({token}: Record<string, unknown>): string {
  if (typeof token === 'string') return token;
  throw createBodyError('token', 'must be the end of a link in a mail');
}
