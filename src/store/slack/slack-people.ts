import {lifetimes} from '../../domain/core/limits.js';
import {parseSlackItemName} from '../../domain/slack/slack-post.js';
import {workName} from '../../domain/core/work.js';
import type {RedisCommands} from '../core/connection.js';
import {forgetSlackUserScript, keepSlackProfileScript} from '../core/compiled/lua.js';
import {workspaceKeys} from '../core/keys.js';
import {createSlackItemKey} from './slack-items.js';
import type {TeamRests} from './team-rests.js';
import type {TypedRecords} from './typed-records.js';
import type {Id} from '../../domain/core/ids.js';

/** The names of a person's picture and locale in the list of their stored data. */
const [pictureEntry, localeEntry] = ['picture/', 'locale/'];

/** Returns the name that a delivery problem of a channel has in the list of a told person's stored data. */
export const formatNotifiedEntry = (channel: string): string => `told/${channel}`;

const forgottenAtOnce = 100;

/** Everything that is stored for a Slack user. */
export function createSlackPeople(
  {call, run}: RedisCommands,
  teamRests: Pick<TeamRests, 'forget'>,
  typedRecords: Pick<TypedRecords, 'forget'>,
) {
  return {
    /**
     * Deletes a limited part of the person's data. Returns true while there may be more. A reminder that is
     * visible in Slack is left to the process that edits it there, which then deletes its record.
     */
    async forget(workspace: Id<'workspace'>, slackUser: string, deadline: number): Promise<boolean> {
      await teamRests.forget(workspace, slackUser, deadline);
      await typedRecords.forget(workspace, slackUser, deadline);
      const keys = workspaceKeys(workspace);
      const all = await call<string[]>(deadline, ['SMEMBERS', keys.slackKept(slackUser)]);
      const entries = all.slice(0, forgottenAtOnce);
      const named = entries.map((entry) => {
        if (entry === pictureEntry) return keys.slackPicture(slackUser);
        if (entry === localeEntry) return keys.slackLocale(slackUser);
        return entry.startsWith(formatNotifiedEntry(''))
          ? keys.slackTrouble(entry.slice(formatNotifiedEntry('').length))
          : createSlackItemKey(workspace, slackUser, parseSlackItemName(entry));
      });
      const own = [
        keys.slackPending(slackUser),
        keys.slackReady(),
        keys.head(),
        keys.slackKept(slackUser),
        keys.slackInstallation(),
        keys.slackToken(),
      ];
      const work = workName({kind: 'post-slack', channel: slackUser});
      const left = await run<number>(
        deadline,
        forgetSlackUserScript,
        [...own, ...named],
        [slackUser, work, ...entries],
      );
      return all.length > entries.length && left === 0;
    },
    /** Stores the URL of a person's picture for 30 days; undefined deletes it. */
    async keepPicture(
      workspace: Id<'workspace'>,
      slackUser: string,
      address: string | undefined,
      deadline: number,
    ): Promise<void> {
      const keys = workspaceKeys(workspace);
      const args = [pictureEntry, String(lifetimes.events), ...(address === undefined ? [] : [address])];
      await run(
        deadline,
        keepSlackProfileScript,
        [keys.slackPicture(slackUser), keys.slackKept(slackUser)],
        args,
      );
    },
    async findPicture(
      workspace: Id<'workspace'>,
      slackUser: string,
      deadline: number,
    ): Promise<string | undefined> {
      const key = workspaceKeys(workspace).slackPicture(slackUser);
      return (await call<string | null>(deadline, ['GET', key])) ?? undefined;
    },
    /** Stores the locale of a person for 30 days; undefined deletes it. */
    async keepLocale(
      workspace: Id<'workspace'>,
      slackUser: string,
      locale: string | undefined,
      deadline: number,
    ): Promise<void> {
      const keys = workspaceKeys(workspace);
      const args = [localeEntry, String(lifetimes.events), ...(locale === undefined ? [] : [locale])];
      await run(
        deadline,
        keepSlackProfileScript,
        [keys.slackLocale(slackUser), keys.slackKept(slackUser)],
        args,
      );
    },
    async findLocale(
      workspace: Id<'workspace'>,
      slackUser: string,
      deadline: number,
    ): Promise<string | undefined> {
      const key = workspaceKeys(workspace).slackLocale(slackUser);
      return (await call<string | null>(deadline, ['GET', key])) ?? undefined;
    },
  };
}
