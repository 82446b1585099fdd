import type {Absence} from './absences/absence.js';
import type {HolidayCalendar} from './absences/holidays.js';
import type {Blocker} from './blockers/blocker.js';
import type {Comment} from './comments/comment.js';
import type {AccessToken} from './core/access.js';
import type {IdKind} from './core/ids.js';
import type {Resource} from './core/resource.js';
import type {Import} from './imports/import.js';
import type {Invite} from './invites/invite.js';
import type {Passkey} from './tokens/passkey.js';
import type {Reaction} from './reactions/reaction.js';
import type {Run} from './runs/run.js';
import type {Standup} from './standups/standup.js';
import type {Team, TeamMember} from './teams/team.js';
import type {Webhook} from './webhooks/webhook.js';
import type {Member, ServiceAccount} from './workspaces/workspace.js';

/** Everything that the store keeps as a record with an id. */
type StoredRecord =
  | Absence
  | AccessToken
  | Blocker
  | Comment
  | HolidayCalendar
  | Import
  | Invite
  | Member
  | Passkey
  | Reaction
  | Run
  | ServiceAccount
  | Standup
  | Team
  | TeamMember
  | Webhook;

/** The type of the record that belongs to an id of this kind. */
export type RecordOf<K extends IdKind> = Extract<StoredRecord, Resource<K>>;
