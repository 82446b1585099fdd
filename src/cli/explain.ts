import type {AppError, ErrorCode} from '../domain/core/errors.js';

/** The command that lists the things of a kind, for each kind of thing that may be missing. */
const listsOf: Readonly<Record<string, string>> = {
  workspace: 'standup-admin workspace list',
  member: 'standup-admin member list',
  token: 'standup-admin token list',
  webhook: 'standup-admin webhook list',
};

const listsByCode: Partial<Record<ErrorCode, string>> = {
  email_taken: 'standup-admin member list',
  team_not_found: 'standup-admin team list',
};

/** Explains an error of a service, and adds the command that lists the existing things. */
export function explainRefusal({code, message, context}: AppError): string {
  const list = listsByCode[code] ?? listsOf[context.missing ?? ''];
  return list === undefined ? message : `${message} To list them: ${list}`;
}
