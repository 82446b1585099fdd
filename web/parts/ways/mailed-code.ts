import {readItem, storeItem} from '../../api/storage.ts';

/** The person a code is for. Without an address: the one who is signed in. */
export interface CodeSubject {
  readonly email?: string;
  /** The short name of the workspace, where there are several. */
  readonly workspace?: string;
}

/** A code as the link in a mail carries it. */
export interface MailedCode extends CodeSubject {
  readonly code: string;
  readonly email: string;
}

/** Reads the part of a link after the #; undefined if it carries no code. */
export function readMailedCode(link: string | undefined): MailedCode | undefined {
  const given = new URLSearchParams(link);
  const [code, email, workspace] = [given.get('code'), given.get('email'), given.get('workspace')];
  if (code === null || email === null) return undefined;
  return {code, email, ...(workspace !== null && {workspace})};
}

/** Writes a code as the mail shows it: `K7QM-3XTD`. */
export function formatCode(code: string): string {
  return code.replace(/^(.{4})(.{4})$/, '$1-$2');
}

const workspaceItem = 'standup:workspace';

/** Returns the workspace that somebody has last signed in to by a code in this browser, if they named one. */
export function readKeptWorkspace(): string | undefined {
  return readItem(workspaceItem) ?? undefined;
}

/** Keeps the workspace for the next sign-in, unless it is an id: a person would not recognise it. */
export function keepWorkspace({workspace}: CodeSubject): void {
  if (workspace !== undefined && !workspace.startsWith('ws_')) storeItem(workspaceItem, workspace);
}
