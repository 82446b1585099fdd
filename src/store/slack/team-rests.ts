import type {TeamRest} from '../../domain/slack/team-rest.js';
import {parseWorkName, workName} from '../../domain/core/work.js';
import type {RedisCommands} from '../core/connection.js';
import {
  dropTeamRestScript,
  replaceTeamRestScript,
  saveTeamRestScript,
  takeTeamRestScript,
} from '../core/compiled/lua.js';
import {workspaceKeys} from '../core/keys.js';
import type {Id} from '../../domain/core/ids.js';

/** The parts of team set-ups in Slack that are still to be done, by the id of the form. */
export type TeamRests = ReturnType<typeof createUnfinishedTeamForms>;

const lifetime = 24 * 3_600;
const leaseMs = 60_000;

export function createUnfinishedTeamForms({call, run}: RedisCommands) {
  const keysOf = (workspace: Id<'workspace'>, form: string) => {
    const keys = workspaceKeys(workspace);
    return [keys.teamRest(form), keys.slackReady()];
  };
  const nameOf = (form: string) => workName({kind: 'finish-team', form});

  async function dropTeamForm(workspace: Id<'workspace'>, form: string, deadline: number): Promise<void> {
    await run(deadline, dropTeamRestScript, keysOf(workspace, form), [nameOf(form)]);
  }

  /** Returns false when another process has changed the form, such as one that forgets another person. */
  async function forgetInForm(
    workspace: Id<'workspace'>,
    form: string,
    slackUser: string,
    deadline: number,
  ): Promise<boolean> {
    const key = workspaceKeys(workspace).teamRest(form);
    const json = await call<string | null>(deadline, ['GET', key]);
    if (json === null || !json.includes(`"${slackUser}"`)) return true;
    const rest = JSON.parse(json) as TeamRest;
    if (rest.user.id === slackUser) {
      await dropTeamForm(workspace, form, deadline);
      return true;
    }
    const left: TeamRest = {...rest, add: rest.add.filter((id) => id !== slackUser)};
    return (await run<number>(deadline, replaceTeamRestScript, [key], [json, JSON.stringify(left)])) === 1;
  }

  return {
    drop: dropTeamForm,
    /** Saves the part left to do, for a day. It is due in a minute: until then, this process works on it. */
    async save(workspace: Id<'workspace'>, form: string, rest: TeamRest, deadline: number): Promise<void> {
      const args = [nameOf(form), String(leaseMs), JSON.stringify(rest), String(lifetime)];
      await run(deadline, saveTeamRestScript, keysOf(workspace, form), args);
    },
    /** Takes the part left to do, alone for a minute. Undefined when nothing is left. */
    async take(workspace: Id<'workspace'>, form: string, deadline: number): Promise<TeamRest | undefined> {
      const args = [nameOf(form), String(leaseMs)];
      const json = await run<string | null>(deadline, takeTeamRestScript, keysOf(workspace, form), args);
      return json === null ? undefined : (JSON.parse(json) as TeamRest);
    },
    /** Removes a Slack user from unfinished set-ups, and deletes those that this person submitted. */
    async forget(workspace: Id<'workspace'>, slackUser: string, deadline: number): Promise<void> {
      const keys = workspaceKeys(workspace);
      const names = await call<string[]>(deadline, ['ZRANGE', keys.slackReady(), '0', '-1']);
      for (const work of names.map(parseWorkName)) {
        if (work?.kind !== 'finish-team') continue;
        while (!(await forgetInForm(workspace, work.form, slackUser, deadline)));
      }
    },
  };
}
