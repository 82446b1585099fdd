import type {Person} from '../../api/people.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import type {Json, TestWorkspace} from '../../support/service.js';
import type {BrowserStage, Tab} from '../support/stage.js';
import type {Twins} from '../support/twin.js';

/** Named steps that use every operation of a screen once, through its pages. */
export type Journey = readonly (readonly [string, (tab: Tab, world: JourneyWorld) => Promise<unknown>])[];

/** A workspace with three admins in the team `platform`. */
export interface Twin {
  readonly workspace: TestWorkspace;
  readonly ada: Person;
  readonly grace: Person;
  readonly alan: Person;
  /** A request with a token of all scopes; resolves with the body, and rejects on an error response. */
  ask(method: string, path: string, body?: object, token?: string): Promise<Json>;
}

/** The workspace in which the journeys run. Ada is signed in. */
export interface JourneyWorld extends Twin {
  readonly stage: BrowserStage;
  /**
   * Creates objects in this workspace and its twin; resolves with those of this one. The twin has them all
   * before the first request is repeated there, so create nothing that an earlier step would return.
   */
  prepare<T extends Json>(make: (twin: Twin) => Promise<T>): Promise<T>;
  /** The receiver for webhooks of both workspaces. */
  receiver(): Promise<Receiver>;
}

export interface Worlds {
  readonly here: JourneyWorld;
  /** The workspace in which a program repeats the requests of the pages. */
  readonly there: Twin;
  close(): Promise<void>;
}

/** Creates two workspaces with equal content in one service. */
export async function makeWorlds(stage: BrowserStage, twins: Twins): Promise<Worlds> {
  const first = await makeTwin(stage, stage.workspace);
  const there = await makeTwin(stage, await stage.service.addWorkspace());
  const {workspace: one} = first;
  const {workspace: other} = there;
  twins.learn([one.id, one.team, one.principal.id], [other.id, other.team, other.principal.id]);
  const names = ({ada, grace, alan}: Twin) => [ada.id, grace.id, alan.id];
  twins.learn(names(first), names(there));
  let receiver: Promise<Receiver> | undefined;
  const here: JourneyWorld = {
    ...first,
    stage,
    async prepare(make) {
      const made = await make(first);
      twins.learn(made, await make(there));
      return made;
    },
    receiver: () => (receiver ??= startReceiver()),
  };
  await here.prepare(async ({ask, ada, grace: {token}}) => {
    const standup = await ask(
      'POST',
      '/v1/standups',
      {team: 'platform', update: 'Compiled the compiler.'},
      token,
    );
    const away = {member: 'me', kind: 'away', from: '2027-01-04', until: '2027-01-08'};
    return [
      await ask('PATCH', `/v1/standups/${standup.id}`, {update: 'Compiled the compiler twice.'}, token),
      await ask('POST', '/v1/blockers', {team: 'platform', text: 'No tape left.'}, token),
      await ask('POST', '/v1/absences', away, token),
      await ask(
        'POST',
        '/v1/comments',
        {standup: standup.id, text: `Thanks, [@Ada](mention:${ada.id})`, format: 'markdown'},
        token,
      ),
    ];
  });
  return {here, there, close: async () => (await receiver)?.close()};
}

async function makeTwin(stage: BrowserStage, workspace: TestWorkspace): Promise<Twin> {
  const add = (name: string) => stage.addPerson({name, team: 'platform', role: 'admin'}, workspace);
  return {
    workspace,
    ada: await add('Ada Lovelace'),
    grace: await add('Grace Hopper'),
    alan: await add('Alan Turing'),
    async ask(method, path, body, token = workspace.token) {
      const answer = await workspace.request(method, path, {token, ...(body && {body})});
      if (answer.status >= 300) throw new Error(`${answer.request} ${answer.status} ${answer.text}`);
      return answer.body;
    },
  };
}
