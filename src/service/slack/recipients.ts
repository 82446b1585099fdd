import type {Reader} from '../../domain/core/access.js';
import {drawnPart, type Id, type IdSuffix} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {parseWire} from '../../domain/core/resource.js';
import type {Records} from '../../store/core/records.js';

/** People who are told of something by direct message, as the chat knows them (Slack user ids). */
export interface Recipients {
  /** Owners and admins, owners first. */
  findAdmins: (call: Reader) => Promise<string[]>;
  /** The team's leads; without a team, or where no lead is in the chat, the admins. */
  findResponsible: (call: Reader, team: Id<'team'> | undefined) => Promise<string[]>;
  /** The author of a standup; nobody where that is no member, or not in the chat. */
  findAuthor: (call: Reader, standup: IdSuffix<'standup'>) => Promise<string[]>;
}

/** How many people are told of one event at the most. */
const most = 90;
const looksAt = 1_000;

export function createRecipients({records}: {readonly records: Pick<Records, 'list' | 'findByDrawn'>}) {
  async function findLeads({workspace, deadline}: Reader, team: Id<'team'>): Promise<string[]> {
    const {rows} = await records.list(workspace, {list: lists.teamMembers(team), limit: looksAt}, deadline);
    const leads = rows
      .map(({json}) => parseWire(json))
      .filter(({role}) => role === 'lead')
      .slice(0, most);
    const found = await Promise.all(
      leads.map(({member}) => records.findByDrawn(workspace, drawnPart(member.id), deadline)),
    );
    return found.flatMap((lead) => lead?.slack_user_id ?? []);
  }

  const recipients: Recipients = {
    async findAdmins({workspace, deadline}) {
      const found: string[] = [];
      for (const role of ['owner', 'admin']) {
        const query = {list: lists.membersOfRole(role), limit: looksAt};
        const {rows} = await records.list(workspace, query, deadline);
        found.push(...rows.flatMap(({json}) => parseWire(json).slack_user_id ?? []));
      }
      return found.slice(0, most);
    },
    async findResponsible(call, team) {
      const leads = team === undefined ? [] : await findLeads(call, team);
      return leads.length > 0 ? leads : recipients.findAdmins(call);
    },
    async findAuthor({workspace, deadline}, standup) {
      const author = (await records.findByDrawn(workspace, standup, deadline))?.author;
      if (author?.type !== 'member') return [];
      const member = await records.findByDrawn(workspace, drawnPart(author.id), deadline);
      return [member?.slack_user_id ?? []].flat();
    },
  };
  return recipients;
}
