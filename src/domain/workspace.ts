import type {Resource} from './resource.js';

export interface Workspace extends Resource {
  readonly object: 'workspace';
  readonly slug: string;
  readonly name: string;
}

export type MemberRole = 'owner' | 'admin' | 'member';

/** As it is shown: whether Slack speaks for it depends on how this installation is set up, so it is no part of a revision. */
export interface ShownWorkspace extends Workspace {
  readonly slack: {readonly connected: boolean};
}

/** A person. Posts only for teams they are in; may be linked to a Slack user. */
export interface Member extends Resource {
  readonly object: 'member';
  readonly name: string;
  /** In lower case; unique in the workspace, as is the Slack user. */
  readonly email: string | null;
  readonly role: MemberRole;
  readonly timezone: string | null;
  readonly slack_user_id: string | null;
}

/** A program that acts in its own name. */
export interface ServiceAccount extends Resource {
  readonly object: 'service_account';
  readonly name: string;
}
