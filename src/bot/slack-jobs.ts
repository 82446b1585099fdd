import type {Call} from '../domain/access.js';
import type {Log} from '../domain/log.js';
import type {Perform} from '../domain/work.js';
import type {Services} from '../service/services.js';
import {createChannelCalls} from './channel-calls.js';
import {createJobClient} from './clients.js';
import {createPostSlack, type PostStore, type Waits} from './post-slack.js';
import {createReadSlack, type ReadSlackParts, type StandupRevision} from './read-slack.js';
import {slackKey} from './visitors.js';

export interface SlackJobParts {
  readonly api: {readonly botToken: string; readonly apiUrl?: string | undefined};
  readonly posts: PostStore & ReadSlackParts['posts'];
  readonly events: ReadSlackParts['events'];
  readonly teams: ReadSlackParts['teams'];
  readonly records: {
    findRevisions(
      workspace: string,
      refs: readonly {drawn: string; revision: number}[],
      deadline: number,
    ): Promise<(string | undefined)[]>;
  };
  readonly services: Pick<Services, 'standups'>;
  readonly wake: ReadSlackParts['wake'];
  /** A call in nobody's name. */
  readonly jobCall: (workspace: string) => Call;
  readonly drawToken: () => string;
  /** Wall time in ms. */
  readonly now: () => number;
  readonly log: Log;
  readonly waits?: Partial<Waits>;
}

export interface SlackJobs {
  readonly read: Perform<{kind: 'read-slack'}>;
  readonly post: Perform<{kind: 'post-slack'; channel: string}>;
}

/** The background work of Slack: noting what channels should show, and making them show it. */
export function createSlackJobs(parts: SlackJobParts): SlackJobs {
  const {api, records, services, jobCall, log} = parts;

  async function findStandup(workspace: string, drawn: string, revision: number, deadline: number) {
    const [json] = await records.findRevisions(workspace, [{drawn, revision}], deadline);
    return json === undefined ? undefined : (JSON.parse(json) as StandupRevision);
  }

  return {
    read: createReadSlack({...parts, findStandup}),
    post: createPostSlack({
      ...parts,
      calls: createChannelCalls(createJobClient({...api, log})),
      findStandup,
      reportUnposted: (workspace, standup) => {
        const call = jobCall(workspace);
        const idempotency = slackKey(call, 'failure', standup.drawn, String(standup.revision));
        return services.standups.reportUnposted({...call, idempotency}, standup);
      },
    }),
  };
}
