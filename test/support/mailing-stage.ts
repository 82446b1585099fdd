import {afterAll, beforeAll, beforeEach} from '@jest/globals';
import type {MailOutcome} from '../../src/domain/mail/mail.js';
import {addPerson, type Person} from '../api/people.js';
import {type SentMail, sendMails} from './mails.js';
import {testRedisUrl} from './redis-server.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from './service.js';

/** Two services of one store, of which none sends mails by itself, with a new workspace for each test. */
export interface MailingStage {
  /** Mails are sent here. */
  readonly sending: TestService;
  /** Mails are kept here, as in development. */
  readonly keeping: TestService;
  readonly workspace: TestWorkspace;
  readonly owner: Person;
  /** Sends a request of the owner, to the service that sends mails if no other is named. */
  ask(method: string, path: string, body?: Json, to?: Pick<TestService, 'url'>): Promise<TestResponse>;
  add(person: Parameters<typeof addPerson>[2]): Promise<Person>;
  /** Sends the queued mails with this result, and returns them. */
  send(outcome?: MailOutcome): Promise<SentMail[]>;
}

/** Sets the stage for the tests of a file. */
export function setMailingStage(): MailingStage {
  let services: {readonly sending: TestService; readonly keeping: TestService};
  let workspace: TestWorkspace;
  let owner: Person;
  beforeAll(async () => {
    const [redisUrl, env] = [await testRedisUrl(), {ROLES: 'web'}];
    const sending = await startService({redisUrl, env, mail: 'sent'});
    services = {sending, keeping: await startService({redisUrl, env, mail: 'kept'})};
  });
  afterAll(async () => {
    await services.sending.close();
    await services.keeping.close();
  });
  beforeEach(async () => {
    workspace = await services.sending.addWorkspace();
    owner = await addPerson(services.sending, workspace, {name: 'Olga Owner', role: 'owner'});
  });
  return {
    get sending() {
      return services.sending;
    },
    get keeping() {
      return services.keeping;
    },
    get workspace() {
      return workspace;
    },
    get owner() {
      return owner;
    },
    ask: (method, path, body, {url} = services.sending) =>
      sendRequest(url, method, path, {token: owner.token, ...(body !== undefined && {body})}),
    add: (person) => addPerson(services.sending, workspace, person),
    send: (outcome) => sendMails(services.sending, workspace, outcome),
  };
}
