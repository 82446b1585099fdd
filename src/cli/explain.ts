import type {AppError, ErrorCode} from '../domain/core/errors.js';

/** By what an error says is not there. */
const listsOf: Readonly<Record<string, string>> = {
  workspace: 'standup workspace list',
  member: 'standup member list',
  token: 'standup token list',
  webhook: 'standup webhook list',
};

const listsByCode: Partial<Record<ErrorCode, string>> = {
  email_taken: 'standup member list',
  team_not_found: 'standup team list',
};

/** A refusal in the words of the command: which one lists what there is. */
export function explain({code, message, context}: AppError): string {
  const list = listsByCode[code] ?? listsOf[context.missing ?? ''];
  return list === undefined ? message : `${message} To see what there is: ${list}`;
}
